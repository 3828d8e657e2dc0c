/** The shop's public API as any client uses it: mutations over HTTP, subscriptions over a WebSocket. It has no back door. */
import { GraphQLError } from "graphql";
import { ClientError, GraphQLClient } from "graphql-request";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import type { Answer, CreateJobInput, JobEvent, JobView, ProgressView, RetryJobInput } from "./documents.ts";
import * as documents from "./documents.ts";

export interface Listener<Value> {
  onNext(value: Value): void;
  onError(message: string): void;
}

export interface PublicApi {
  createJob(input: CreateJobInput): Promise<Answer>;
  retryJob(input: RetryJobInput): Promise<Answer>;
  cancelAttempt(input: { readonly attemptId: string; readonly reason: string }): Promise<Answer>;
  readJob(id: string): Promise<JobView>;
  /** From the first event on, and then live, until the returned function is called. */
  jobEvents(jobId: string, listener: Listener<JobEvent>): () => void;
  jobUpdated(id: string, listener: Listener<ProgressView>): () => void;
  close(): Promise<void>;
}

/** Each of the demo's documents asks for one field. */
function onlyField<Value>(data: Readonly<Record<string, Value>>): Value {
  const [value] = Object.values(data);
  if (value === undefined) throw new Error("an answer without a field");
  return value;
}

/** graphql-request's own message holds the whole request. */
function shorten(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error;
  return new Error(error.response.errors?.[0]?.message ?? `The server answered with status ${error.response.status}.`);
}

/** What graphql-ws gives: the server's errors, a socket's, or the event that closed it. */
function explain(error: unknown): string {
  if (Array.isArray(error) && error[0] instanceof GraphQLError) return error[0].message;
  if (error instanceof Error) return error.message;
  return "the connection to the server was closed";
}

export function connectTo(url: string): PublicApi {
  const http = new GraphQLClient(`${url}/graphql`);
  const socket = createClient({
    url: `${url.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });

  async function ask<Value>(query: string, variables: object): Promise<Value> {
    try {
      return onlyField(await http.request<Record<string, Value>>(query, variables));
    } catch (error) {
      throw shorten(error);
    }
  }

  function follow<Value>(query: string, variables: Record<string, unknown>, listener: Listener<Value>): () => void {
    return socket.subscribe<Record<string, Value>>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (errors?.[0] !== undefined) listener.onError(errors[0].message);
          else if (data) listener.onNext(onlyField(data));
        },
        error: (error) => listener.onError(explain(error)),
        complete: () => {},
      },
    );
  }

  return {
    createJob: (input) => ask(documents.createJob, { input }),
    retryJob: (input) => ask(documents.retryJob, { input }),
    cancelAttempt: (input) => ask(documents.cancelAttempt, { input }),
    readJob: (id) => ask(documents.readJob, { id }),
    jobEvents: (jobId, listener) => follow(documents.jobEvents, { jobId }, listener),
    jobUpdated: (id, listener) => follow(documents.jobUpdated, { id }, listener),
    close: async () => socket.dispose(),
  };
}
