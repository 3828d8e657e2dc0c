/** The world in which the contract's parts mean something: a server, and jobs in every state, each made when first asked for and then left alone. */
import { randomUUID } from "node:crypto";
import { decodeId } from "../../src/store/ids.ts";
import type { Answer } from "./api-answers.ts";
import type { Api, Fields } from "./api-client.ts";
import { type JobStateName, newJob, type Reached, reach } from "./api-reach.ts";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { contractConfig, formerConfig } from "./contract-config.ts";
import { quietly } from "./traffic.ts";
import { waitUntil } from "./wait-until.ts";

export interface World extends ApiServer {
  /** Ann's job in a state, for all to look at. */
  in(state: JobStateName): Promise<Reached>;
  /** One more such job, for a test to go on with. A QUEUED one waits for a worker. */
  fresh(state: JobStateName, more?: Fields): Promise<Reached>;
  /** A job that succeeded, and that retention has stripped. */
  purged(): Promise<Reached>;
  /** A job whose operation and provider the configuration has dropped. */
  dropped(): Promise<Reached>;
  /** A job that the press has lost sight of: UNKNOWN, and to be looked up. */
  lostPoster(): Promise<Reached>;
}

async function makePurged(server: ApiServer): Promise<Reached> {
  const reached = await reach(server, "SUCCEEDED", { operation: "steady", metadata: { table: 4 } });
  await purge(server, reached.jobId);
  return reached;
}

/** Retention, played by hand. */
export async function purge(server: ApiServer, jobId: string): Promise<void> {
  await server.sql`update jobs set input = null, metadata = null, result = null, purged_at = onejob_now()
    where id = ${decodeId("job", jobId)}`;
}

async function makeDropped({ databaseUrl }: ApiServer): Promise<Reached> {
  const former = await startApiServer({ config: formerConfig, databaseUrl });
  try {
    const job = await newJob(former, "fax");
    return { jobId: job.id, attemptId: job.latestAttempt.id, held: null };
  } finally {
    await former.stop();
  }
}

async function makeLostPoster(server: ApiServer): Promise<Reached> {
  const { id, latestAttempt } = await newJob(server, "poster");
  await waitUntil("the press has lost the poster", async () => (await server.ann.job(id)).state === "UNKNOWN");
  return { jobId: id, attemptId: latestAttempt.id, held: null };
}

export async function startWorld(): Promise<World> {
  const server = await startApiServer({ config: contractConfig });
  // A test is to show its part by itself, not by how its job came about.
  const fresh = (state: JobStateName, more: Fields = {}) =>
    quietly(() => reach(server, state, { operation: "steady", ...more }));
  const made = new Map<string, Promise<Reached>>();
  const once = (name: string, make: () => Promise<Reached>): Promise<Reached> => {
    const found = made.get(name) ?? make();
    made.set(name, found);
    return found;
  };
  return {
    ...server,
    // No claim takes the queued one away: its time is far off.
    in: (state) => once(state, () => fresh(state, state === "QUEUED" ? { notBefore: "2100-01-01T00:00:00Z" } : {})),
    fresh,
    purged: () => once("purged", () => quietly(() => makePurged(server))),
    dropped: () => once("dropped", () => quietly(() => makeDropped(server))),
    lostPoster: () => quietly(() => makeLostPoster(server)),
  };
}

const typeByPrefix: Readonly<Record<string, string>> = {
  job: "Job",
  att: "Attempt",
  cert: "Certification",
  op: "Operation",
  prov: "Provider",
  audit: "AuditEntry",
};

/** Of what an id names: the one field that is selected, or all of them as an object. */
export async function look<Value = unknown>(api: Api, id: string, selection: string): Promise<Value> {
  const type = typeByPrefix[id.split("_")[0] ?? ""] ?? "Node";
  const document = `query ($id: ID!) { node(id: $id) { __typename ... on ${type} { ${selection} } } }`;
  const { node } = await api.ask<{ node: Fields | null }>(document, { id });
  if (node === null) throw new Error(`The id ${id} names nothing.`);
  const { __typename, ...fields } = node;
  const values = Object.values(fields);
  return (values.length === 1 ? values[0] : fields) as Value;
}

/** A mutation with its answer's type, what every refusal has, and what is selected beside them. */
export async function mutate(api: Api, name: string, input: Fields, selection = ""): Promise<Answer & Fields> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) {
    ${name}(input: $input) { __typename ... on UserError { code message } ${selection} } }`;
  const data = await api.ask<Record<string, Answer & Fields>>(document, { input });
  return data[name] as Answer & Fields;
}

/** An input for createJob with a key of its own. */
export function intent(
  more: Fields = {},
): Fields & { readonly idempotencyKey: string; readonly operation: string; readonly input: unknown } {
  return { idempotencyKey: randomUUID(), operation: "steady", input: { text: "Menu" }, ...more };
}

/** An instant as the API writes it. */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
