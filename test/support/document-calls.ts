/** Sends one call by each transport that there is, byte for byte as a client would, and says what came back. It reads no files. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { type Caller, tokens } from "./api-config.ts";

/** As GraphQL over HTTP has it, or as the field's extensions do. */
export interface DocumentCall {
  readonly query?: string;
  readonly documentId?: unknown;
  readonly variables?: object;
  readonly operationName?: string;
  readonly extensions?: object;
}

export interface DocumentAnswer {
  /** Null over WebSocket. */
  readonly status: number | null;
  readonly data: unknown;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

const newer = "application/graphql-response+json";
const headersOf = (caller: Caller, accept: string) => ({
  authorization: `Bearer ${tokens[caller]}`,
  "content-type": "application/json",
  accept,
});

function read(status: number | null, { data, errors = [] }: Body): DocumentAnswer {
  const codes = errors.map(({ extensions }) => extensions?.code ?? "none");
  return { status, data, codes, messages: errors.map(({ message }) => message) };
}

async function post(url: string, call: DocumentCall, caller: Caller, accept = newer): Promise<DocumentAnswer> {
  const init = { method: "POST", headers: headersOf(caller, accept), body: JSON.stringify(call) };
  const response = await fetch(`${url}/graphql`, init);
  return read(response.status, (await response.json()) as Body);
}

async function get(url: string, call: DocumentCall, caller: Caller): Promise<DocumentAnswer> {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(call))
    address.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const headers = { ...headersOf(caller, newer), "x-onejob-csrf": "1" };
  const response = await fetch(`${url}/graphql?${address}`, { headers });
  return read(response.status, (await response.json()) as Body);
}

/** The first event; of a refusal there is one. */
async function sse(url: string, call: DocumentCall, caller: Caller): Promise<DocumentAnswer> {
  const init = { method: "POST", headers: headersOf(caller, "text/event-stream"), body: JSON.stringify(call) };
  const response = await fetch(`${url}/graphql`, init);
  const text = await response.text();
  const event = /^data: (\{.*\})$/m.exec(text)?.[1];
  return read(response.status, JSON.parse(event ?? text) as Body);
}

export interface DocumentSocket {
  ask(call: DocumentCall): Promise<DocumentAnswer>;
  readonly isOpen: boolean;
  close(): void;
}

/** Speaks the protocol itself: the library's client sends no operation without a text. */
export async function openDocumentSocket(url: string, caller: Caller): Promise<DocumentSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const waiting = new Map<string, (answer: DocumentAnswer) => void>();
  let calls = 0;
  await once(socket, "open");
  socket.send(
    JSON.stringify({ type: "connection_init", payload: { authorization: headersOf(caller, "").authorization } }),
  );
  await once(socket, "message");
  socket.on("message", (message: Buffer) => {
    const { id, type, payload } = JSON.parse(message.toString()) as { id: string; type: string; payload: unknown };
    if (type === "next") waiting.get(id)?.(read(null, payload as Body));
    if (type === "error") waiting.get(id)?.(read(null, { errors: payload } as Body));
  });
  return {
    ask(payload) {
      calls += 1;
      const id = `call-${calls}`;
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        socket.once("close", (code) => reject(new Error(`The socket has closed with ${code}.`)));
        socket.send(JSON.stringify({ id, type: "subscribe", payload }));
      });
    },
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    close: () => socket.close(),
  };
}

async function overSocket(url: string, call: DocumentCall, caller: Caller): Promise<DocumentAnswer> {
  const socket = await openDocumentSocket(url, caller);
  try {
    return await socket.ask(call);
  } finally {
    socket.close();
  }
}

export const waysToSend = { POST: post, GET: get, "Server-Sent Events": sse, WebSocket: overSocket } as const;
export type Way = keyof typeof waysToSend;
export const everyWay = Object.keys(waysToSend) as Way[];
