/** A WebSocket to the API whose messages the test writes by hand, as no well-kept client would. It keeps to no protocol. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { waitUntil } from "./wait-until.ts";

export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export interface RawSocket {
  /** For frames that are no messages, and for cutting the connection. */
  readonly socket: WebSocket;
  readonly messages: readonly Message[];
  readonly closed: Promise<Closing>;
  send(message: Message): void;
  subscribe(id: string, query: string, variables?: Readonly<Record<string, unknown>>): void;
  /** Waits for the first message about an operation. */
  answer(id: string): Promise<Message>;
}

export interface RawSocketOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with connection_init, whose answer is waited for. Null: nothing is sent. */
  readonly params: Readonly<Record<string, unknown>> | null;
}

/** The codes of the errors in what answered an operation, whether it had begun or not. */
export function codesIn({ payload }: Message): string[] {
  const errors = Array.isArray(payload) ? payload : ((payload as { errors?: unknown[] } | undefined)?.errors ?? []);
  return errors.map((error) => (error as { extensions?: { code?: string } }).extensions?.code ?? "");
}

/** Resolves when the socket is open and, with params, acknowledged or closed; rejects where it is not opened at all. */
export async function openRawSocket(url: string, { headers = {}, params }: RawSocketOptions): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws", { headers });
  const messages: Message[] = [];
  let isClosed = false;
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  const closed = new Promise<Closing>((resolve) => {
    socket.once("close", (code, reason) => {
      isClosed = true;
      resolve({ code, reason: reason.toString() });
    });
  });
  await once(socket, "open");
  // What the server's end does to the connection is told by "close".
  socket.on("error", () => {});
  const send = (message: Message) => socket.send(JSON.stringify(message));
  if (params !== null) {
    send({ type: "connection_init", payload: params });
    await waitUntil("the connection is acknowledged or closed", () => isClosed || messages.length > 0);
  }
  return {
    socket,
    messages,
    closed,
    send,
    subscribe: (id, query, variables = {}) => send({ id, type: "subscribe", payload: { query, variables } }),
    answer: (id) => waitUntil(`operation ${id} is answered`, () => messages.find((message) => message.id === id)),
  };
}
