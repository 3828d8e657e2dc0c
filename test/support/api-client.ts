/** A caller of the API, as applications are one: graphql-request with the documents of schema/operations. It has no back door. */
import { readFileSync } from "node:fs";
import { ClientError, GraphQLClient } from "graphql-request";
import type { Answer, EventView, JobView, WholeJob } from "./api-answers.ts";
import { type Bearer, type Caller, tokenOf } from "./api-config.ts";
import { tell } from "./traffic.ts";

/** A document that clients are given, by its file's name: "create-job". */
export function documentOf(name: string): string {
  return readFileSync(new URL(`../../schema/operations/${name}.graphql`, import.meta.url), "utf8");
}

/** The document Job leaves the attempts of events out; a page that shows them asks like this. */
const eventsDocument = `query ($id: ID!) { job(id: $id) { events(first: 500) {
  jobId number type jobState attemptState attempt { id number } cause actor detail at } } }`;

export type Fields = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

export interface CreateInput extends Fields {
  readonly idempotencyKey?: string;
  readonly operation: string;
  readonly input: unknown;
}

/** A call that GraphQL answered with errors: the first one's code and message, and the status of the response. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export interface Api {
  ask<Data>(document: string, variables?: Fields, headers?: Headers): Promise<Data>;
  /** Sends the mutation of a document whose one argument is `input`, and gives its answer. */
  send(name: string, input: Fields, headers?: Headers): Promise<Answer>;
  create(input: CreateInput, headers?: Headers): Promise<Answer>;
  retry(jobId: string, afterAttemptId: string, more?: Fields): Promise<Answer>;
  cancelAttempt(attemptId: string, reason?: string): Promise<Answer>;
  cancelJob(jobId: string): Promise<Answer>;
  /** With all its attempts and events; throws where there is none to see. */
  job(id: string): Promise<WholeJob>;
  jobOrNull(id: string): Promise<JobView | null>;
  /** All events of a job, at most 500. */
  events(jobId: string): Promise<readonly EventView[]>;
}

/** The GraphQL errors of a call that must not succeed. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    const answer = await call;
    throw new Error(`This was to be refused, and was answered: ${JSON.stringify(answer)}`);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const [first] = error.response.errors ?? [];
    const code = String(first?.extensions["code"]);
    return { status: error.response.status, code, message: first?.message ?? "" };
  }
}

/** The events that happened at a job, by type. */
export function typesOf(events: readonly { readonly type: string }[]): string[] {
  return events.map((event) => event.type);
}

function onlyField<Value>(data: Readonly<Record<string, Value>>): Value {
  const [value, ...others] = Object.values(data);
  if (value === undefined || others.length > 0) throw new Error("an answer with more or less than one field");
  return value;
}

/** `caller` null sends no token at all; any other text than a caller's name is sent as the token. */
export function connectApi(url: string, caller: Caller | Bearer | null): Api {
  const token = caller === null ? null : tokenOf(caller);
  const client = new GraphQLClient(`${url}/graphql`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  const ask = async <Data>(document: string, variables: Fields = {}, headers: Headers = {}): Promise<Data> => {
    const data = await client.request<Data & Fields>({ document, variables, requestHeaders: headers });
    tell({ document, variables, data });
    return data;
  };
  const send = async (name: string, input: Fields, headers?: Headers) =>
    onlyField(await ask<Record<string, Answer>>(documentOf(name), { input }, headers));
  return {
    ask,
    send,
    create: (input, headers) => send("create-job", input, headers),
    retry: (jobId, afterAttemptId, more = {}) => send("retry-job", { jobId, afterAttemptId, ...more }),
    cancelAttempt: (attemptId, reason) => send("cancel-attempt", { attemptId, ...(reason && { reason }) }),
    cancelJob: (jobId) => send("cancel-job", { jobId }),
    async job(id) {
      const { job } = await ask<{ job: WholeJob | null }>(documentOf("job"), { id, attempts: 100 });
      if (job === null) throw new Error(`There is no job ${id} to see.`);
      return job;
    },
    events: async (id) => (await ask<{ job: { events: readonly EventView[] } }>(eventsDocument, { id })).job.events,
    jobOrNull: async (id) => (await ask<{ job: JobView | null }>(documentOf("job"), { id })).job,
  };
}
