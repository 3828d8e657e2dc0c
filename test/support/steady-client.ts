/**
 * A client as applications are told to write one: it follows a job's events, keeps the last number, and comes back with it
 * after every break. It mends nothing else: what it sees twice or misses, the test sees.
 */
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { type Caller, tokenOf } from "./api-config.ts";

export interface SteadyClient {
  readonly jobId: string;
  /** The numbers of the events, as they came. */
  readonly numbers: readonly number[];
  /** What its subscription was told beside events, and errors that it would not try again after. */
  readonly faults: readonly unknown[];
  /** The codes with which its sockets were closed, but for its own. */
  readonly closes: readonly number[];
  /** Ends its socket without a word, as a network does. */
  cut(): void;
  stop(): Promise<void>;
}

const document = "subscription ($jobId: ID!, $after: Int!) { jobEvents(jobId: $jobId, after: $after) { number } }";

/** `mayConnect` is asked before each attempt, the first one too, and says where to. */
export function followSteadily(
  jobId: string,
  mayConnect: () => string | Promise<string>,
  caller: Caller = "ann",
): SteadyClient {
  const numbers: number[] = [];
  const faults: unknown[] = [];
  const closes: number[] = [];
  let socket: WebSocket | null = null;
  let isLeaving = false;
  const client = createClient({
    url: async () => `${(await mayConnect()).replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${tokenOf(caller)}` },
    retryAttempts: 100,
    retryWait: async () => {},
    on: {
      opened: (opened) => {
        socket = opened as WebSocket;
      },
      closed: (event) => void (isLeaving || closes.push((event as { code: number }).code)),
    },
  });
  const variables = {
    jobId,
    get after() {
      return numbers.at(-1) ?? 0;
    },
  };
  client.subscribe<{ jobEvents: { number: number } }>(
    { query: document, variables },
    {
      next({ data, errors }) {
        if (errors) faults.push(...errors);
        if (data) numbers.push(data.jobEvents.number);
      },
      error: (error) => void faults.push(error),
      complete: () => void (isLeaving || faults.push("the stream ended by itself")),
    },
  );
  return {
    jobId,
    numbers,
    faults,
    closes,
    cut: () => socket?.terminate(),
    async stop() {
      isLeaving = true;
      await client.dispose();
    },
  };
}
