/** Subscriptions of a client, over graphql-ws and over Server-Sent Events alike: what came, what was refused, whether it has ended. */
import { createClient as createSseClient } from "graphql-sse";
import { createClient as createSocketClient } from "graphql-ws";
import { WebSocket } from "ws";
import { documentOf, type Fields } from "./api-client.ts";
import { type Bearer, type Caller, tokenOf } from "./api-config.ts";
import { tell } from "./traffic.ts";
import { waitUntil } from "./wait-until.ts";

export interface StreamError {
  readonly code: string;
  readonly message: string;
}

export interface Stream<Value> {
  readonly seen: readonly Value[];
  readonly errors: readonly StreamError[];
  readonly ended: boolean;
  /** Waits until as many have come, and gives them all. */
  sees(count: number): Promise<readonly Value[]>;
  /** Waits until something that came fits. */
  shows(what: string, fits: (value: Value) => boolean): Promise<Value>;
  /** Waits for the end that the server makes. */
  ends(): Promise<void>;
  stop(): void;
}

export interface Streams {
  /** Starts the subscription of a document, by its file's name or as text. */
  open<Value>(document: string, variables: Fields): Stream<Value>;
  /** Closes the connection with everything on it. */
  close(): void;
}

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors?: readonly unknown[] | undefined;
}

interface Sink {
  next(result: Result): void;
  error(error: unknown): void;
  complete(): void;
}

type Subscribe = (payload: { query: string; variables: Record<string, unknown> }, sink: Sink) => () => void;

function streamErrorOf(error: unknown): StreamError {
  const { message = String(error), extensions } = error as { message?: string; extensions?: { code?: string } };
  return { code: extensions?.code ?? "", message };
}

function open<Value>(subscribe: Subscribe, document: string, variables: Fields): Stream<Value> {
  const seen: Value[] = [];
  const errors: StreamError[] = [];
  let ended = false;
  const query = document.includes("{") ? document : documentOf(document);
  const stop = subscribe(
    { query, variables: { ...variables } },
    {
      next(result) {
        errors.push(...(result.errors ?? []).map(streamErrorOf));
        if (!result.data) return;
        seen.push(Object.values(result.data)[0] as Value);
        tell({ document: query, variables, data: result.data });
      },
      error(error) {
        errors.push(...(Array.isArray(error) ? error : [error]).map(streamErrorOf));
        ended = true;
      },
      complete() {
        ended = true;
      },
    },
  );
  return {
    seen,
    errors,
    get ended() {
      return ended;
    },
    stop,
    sees: (count) =>
      waitUntil(`${count} have come, of which there are ${seen.length}`, () => seen.length >= count && seen),
    shows: (what, fits) => waitUntil(`a subscription shows ${what}`, () => seen.find(fits)),
    ends: async () => void (await waitUntil("a subscription has ended", () => ended)),
  };
}

/** All subscriptions of the client share one socket. */
export function overSocket(url: string, caller: Caller | Bearer): Streams {
  const client = createSocketClient({
    url: `${url.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${tokenOf(caller)}` },
    retryAttempts: 0,
  });
  return {
    open: (document, variables) => open((payload, sink) => client.subscribe(payload, sink), document, variables),
    close: () => void client.dispose(),
  };
}

/** Each subscription is a request of its own ("distinct connections"). */
export function overSse(url: string, caller: Caller | Bearer): Streams {
  const client = createSseClient({
    url: `${url}/graphql`,
    headers: { authorization: `Bearer ${tokenOf(caller)}` },
    retryAttempts: 0,
  });
  return {
    open: (document, variables) => open((payload, sink) => client.subscribe(payload, sink), document, variables),
    close: () => client.dispose(),
  };
}

/** The two ways in which a client may listen, for tests that must hold for both. */
export const transports = [
  ["graphql-ws", overSocket],
  ["Server-Sent Events", overSse],
] as const;
