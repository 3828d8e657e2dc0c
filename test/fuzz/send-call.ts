/** Sends a call byte for byte, over HTTP or on a WebSocket, and says what came back. Of a subscription it waits for one answer. */
import { once } from "node:events";
import { WebSocket } from "ws";
import type { Caller } from "./fuzz-config.ts";

/** How long a subscription may have nothing to say; that it had nothing is no fault. */
const silenceMs = 150;
/** No call may take so long. */
const patienceMs = 20_000;

export interface Sent {
  readonly caller: Caller | null;
  /** Null sends none. */
  readonly token: string | null;
  readonly isSubscription: boolean;
  readonly query: string;
  /** JSON text. */
  readonly variables: string;
  readonly operationName: string | null;
  readonly accept: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Damages the body of a request, or the message on a socket; null leaves it whole. */
  readonly spoil: ((message: string) => string) | null;
}

export interface Outcome {
  /** How it was sent in the end: an address that would be too long is posted. */
  readonly by: "post" | "get" | "socket";
  /** Of the HTTP response, or the code with which the socket closed; null while all went well on a socket. */
  readonly status: number | null;
  readonly text: string;
}

const authorization = ({ token }: Sent) => (token === null ? {} : { authorization: `Bearer ${token}` });

function bodyOf({ query, variables, operationName }: Sent): string {
  const name = operationName === null ? "" : `,"operationName":${JSON.stringify(operationName)}`;
  return `{"query":${JSON.stringify(query)},"variables":${variables === "" ? "null" : variables}${name}}`;
}

function spoilt({ spoil }: Sent, message: string): string {
  return spoil === null ? message : spoil(message);
}

/** The first event of a stream, or as much as came before it fell silent. */
async function readStream(response: Response, stop: AbortController): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const silent = setTimeout(() => stop.abort(), silenceMs);
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (/^data: ./m.test(text)) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(silent);
  }
  return text;
}

async function send(url: string, init: RequestInit, isSubscription: boolean): Promise<Outcome> {
  const stop = new AbortController();
  const response = await fetch(url, {
    ...init,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(patienceMs)]),
  });
  const isStream = response.headers.get("content-type")?.includes("event-stream") ?? false;
  const text = isStream && isSubscription ? await readStream(response, stop) : await response.text();
  stop.abort();
  return { by: init.method === "POST" ? "post" : "get", status: response.status, text };
}

export function post(url: string, sent: Sent): Promise<Outcome> {
  const { accept, headers } = sent;
  const all = { ...headers, ...authorization(sent), accept, "content-type": "application/json" };
  return send(
    `${url}/graphql`,
    { method: "POST", headers: all, body: spoilt(sent, bodyOf(sent)) },
    sent.isSubscription,
  );
}

export function get(url: string, sent: Sent): Promise<Outcome> {
  const { accept, headers, query, variables, operationName } = sent;
  // URLs have no lone surrogates, and servers take no endless ones.
  const given = {
    query: query.toWellFormed(),
    variables: variables.toWellFormed(),
    ...(operationName !== null && { operationName }),
  };
  const address = `${url}/graphql?${new URLSearchParams(given)}`;
  if (address.length > 12_000) return post(url, sent);
  const all = { ...headers, ...authorization(sent), accept, "x-onejob-csrf": "1" };
  return send(address, { headers: all }, sent.isSubscription);
}

/** Sockets of the callers, opened when first used and again after the server has closed one. */
export class Sockets {
  readonly #url: string;
  readonly #open = new Map<Caller | null, WebSocket>();
  #count = 0;

  constructor(url: string) {
    this.#url = `${url.replace(/^http/, "ws")}/graphql`;
  }

  async #connect(sent: Sent): Promise<WebSocket> {
    const known = this.#open.get(sent.caller);
    if (known?.readyState === WebSocket.OPEN) return known;
    const socket = new WebSocket(this.#url, "graphql-transport-ws");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: authorization(sent) }));
    await once(socket, "message");
    this.#open.set(sent.caller, socket);
    return socket;
  }

  async send(sent: Sent): Promise<Outcome> {
    const socket = await this.#connect(sent);
    const id = String((this.#count += 1));
    const outcome = deferred<Outcome>();
    const onMessage = (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: string; type: string; payload?: unknown };
      if (message.id !== id) return;
      const text = JSON.stringify(message.type === "error" ? { errors: message.payload } : (message.payload ?? null));
      outcome.resolve({ by: "socket", status: null, text: message.type === "complete" ? "" : text });
    };
    const onClose = (code: number) => outcome.resolve({ by: "socket", status: code, text: "" });
    socket.on("message", onMessage).on("close", onClose);
    const late = () => outcome.reject(new Error("no answer on the socket"));
    // A damaged message may ask for nothing, or under another id.
    const timer =
      sent.isSubscription || sent.spoil !== null
        ? setTimeout(() => outcome.resolve({ by: "socket", status: null, text: "" }), silenceMs)
        : setTimeout(late, patienceMs);
    socket.send(spoilt(sent, `{"id":"${id}","type":"subscribe","payload":${bodyOf(sent)}}`));
    try {
      return await outcome.promise;
    } finally {
      clearTimeout(timer);
      socket.off("message", onMessage).off("close", onClose);
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, type: "complete" }));
    }
  }

  close(): void {
    for (const socket of this.#open.values()) socket.terminate();
  }
}

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: Error): void;
}

function deferred<Value>(): Deferred<Value> {
  let handlers: Omit<Deferred<Value>, "promise"> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    handlers = { resolve, reject };
  });
  if (handlers === undefined) throw new Error("a promise without its executor");
  return { promise, ...handlers };
}
