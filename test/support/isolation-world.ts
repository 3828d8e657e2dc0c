/** The world of the walks: a server on which bob has jobs of his own, and ann writes hers when the test says so. */
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import type { ServerLog } from "../../src/server/log.ts";
import { encodeId } from "../../src/store/ids.ts";
import type { Fields } from "./api-client.ts";
import { type JobStateName, type Reached, reach } from "./api-reach.ts";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { certify } from "./certify.ts";
import { annsOwnerId, isolationConfig } from "./isolation-config.ts";
import { makeAnnsJobs } from "./isolation-jobs.ts";
import { type Pair, pairsOf } from "./isolation-names.ts";
import { secretsIn } from "./isolation-secrets.ts";

export interface IsolationWorld extends ApiServer {
  /** A job of bob's own, which no claim of ann's story takes. */
  bobs(state: JobStateName, more?: Fields): Promise<Reached>;
  letAnnWrite(): Promise<void>;
  /** Of ann's jobs, once she has written: what a stranger may name, every id and lease token, and the secrets that the database holds. */
  readonly pairs: readonly Pair[];
  readonly annsIds: readonly string[];
  readonly leaseTokens: readonly string[];
  readonly annsSecrets: readonly string[];
}

/** The schema as a client is told it. */
export async function introspect(server: ApiServer): Promise<GraphQLSchema> {
  return buildClientSchema(await server.as("bob").ask<IntrospectionQuery>(getIntrospectionQuery()));
}

/** Every row that is about ann, with the transaction that wrote it: equal only if nothing was written. */
export async function rowsOfAnn({ sql }: ApiServer): Promise<readonly string[]> {
  const rows = await sql<{ row: string }[]>`
    select concat_ws(' ', 'job', j.xmin, j.ctid, j::text) as row from jobs j where j.owner_id = ${annsOwnerId}
    union all select concat_ws(' ', 'attempt', a.xmin, a.ctid, a::text) from attempts a where a.owner_id = ${annsOwnerId}
    union all select concat_ws(' ', 'event', e.xmin, e.ctid, e::text) from job_events e
      join jobs j on j.id = e.job_id where j.owner_id = ${annsOwnerId}
    union all select concat_ws(' ', 'audit', l.xmin, l.ctid, l::text) from audit_log l
    order by 1`;
  return rows.map(({ row }) => row);
}

/** Every id that a row of ann's has, as the API and as the database write it. */
async function idsOfAnn({ sql }: ApiServer): Promise<readonly string[]> {
  const rows = await sql<{ kind: "job" | "att" | "audit"; id: string }[]>`
    select 'job' as kind, id::text from jobs where owner_id = ${annsOwnerId}
    union all select 'att', id::text from attempts where owner_id = ${annsOwnerId}
    union all select 'audit', id::text from audit_log`;
  return rows.flatMap(({ kind, id }) => [encodeId(kind, id), id, id.replaceAll("-", "")]);
}

async function leaseTokensOfAnn({ sql }: ApiServer): Promise<readonly string[]> {
  const rows = await sql<{ token: string }[]>`
    select lease_token as token from attempts where owner_id = ${annsOwnerId} and lease_token is not null`;
  return rows.map(({ token }) => token);
}

export async function startIsolationWorld(log?: ServerLog): Promise<IsolationWorld> {
  const server = await startApiServer({ config: isolationConfig, ...(log && { log }) });
  const bobsServer = { ...server, ann: server.as("bob") };
  const bobs = (state: JobStateName, more: Fields = {}) =>
    reach(bobsServer, state, { operation: "paper", input: { text: state }, ...more });
  await certify(server.sql);
  await bobs("FAILED");
  await bobs("SUCCEEDED");
  await bobs("QUEUED", { notBefore: "2100-01-01T00:00:00Z" });
  let known = { pairs: [] as readonly Pair[], annsIds: [""], leaseTokens: [""], annsSecrets: [""] };
  return {
    ...server,
    bobs,
    async letAnnWrite() {
      const pairs = await pairsOf(server, await makeAnnsJobs(server));
      const leaseTokens = [...(await leaseTokensOfAnn(server))];
      const annsSecrets = secretsIn((await rowsOfAnn(server)).join("\n"));
      known = { pairs, annsIds: [...(await idsOfAnn(server)), ...leaseTokens], leaseTokens, annsSecrets };
    },
    get pairs() {
      return known.pairs;
    },
    get annsIds() {
      return known.annsIds;
    },
    get leaseTokens() {
      return known.leaseTokens;
    },
    get annsSecrets() {
      return known.annsSecrets;
    },
  };
}
