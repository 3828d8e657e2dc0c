/** What there is on the fuzzed server: jobs in every state, cursors, certifications, audit entries, and things long dropped. */
import { randomUUID } from "node:crypto";
import { decodeId, encodeId } from "../../src/store/ids.ts";
import { connectApi } from "../support/api-client.ts";
import { jobStates, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { startWorker } from "../support/api-worker.ts";
import { certify } from "../support/certify.ts";
import { everyRight, mint } from "../support/job-token.ts";
import { signed } from "../support/jwt-kit.ts";
import type { Pool, Ref } from "./chosen-values.ts";
import { type Caller, formerConfig, tokens } from "./fuzz-config.ts";

type Thing = Readonly<Record<string, string>>;
type Pools = Readonly<Record<Pool, readonly Thing[]>>;

export interface World {
  resolve(ref: Ref): string;
  /** What the caller sends to be recognised. */
  tokenOf(caller: Caller): string;
  /** Puts the like of what the run has used up in its place. */
  renew(): Promise<void>;
}

const certificationStatuses = ["RUNNING", "PASSED", "FAILED", "INCONCLUSIVE", "REVOKED"] as const;

/** Before the configuration that the fuzzed server has: what is left of it names an operation and a provider that are gone. */
export async function leaveFormerJobs(databaseUrl: string): Promise<void> {
  const former = await startApiServer({ config: formerConfig, databaseUrl });
  for (const provider of ["telex", "inkjet", "inkjet"]) {
    const input = { idempotencyKey: randomUUID(), operation: "fax", provider, input: "Menu" };
    const answer = await former.ann.create(input);
    if (answer.job === undefined) throw new Error(`The former job was refused: ${JSON.stringify(answer)}`);
  }
  await former.worker.claim({ limit: 1, operations: ["fax"], providers: ["inkjet"] });
  await former.stop();
}

/** A job in each state, of ann's or of bob's. */
async function makeJobs(server: ApiServer, owner: "ann" | "bob"): Promise<Thing[]> {
  const as = { ...server, ann: server.as(owner), worker: startWorker(server.url) };
  const things: Thing[] = [];
  for (const state of jobStates) {
    const key = randomUUID();
    const { jobId, attemptId, held } = await reach(as, state, { idempotencyKey: key });
    things.push({ state, jobId, attemptId, key, leaseToken: held?.claim.leaseToken ?? randomUUID() });
  }
  return things;
}

async function purge(server: ApiServer, things: readonly Thing[]): Promise<void> {
  for (const { jobId = "" } of things)
    await server.sql`update jobs set input = null, metadata = null, result = null, purged_at = onejob_now()
      where id = ${decodeId("job", jobId)}`;
}

/** No provider may be left paused, and no queue so long that a worker does not find what it looks for. */
async function clearTheWay(server: ApiServer): Promise<void> {
  for (const provider of ["inkjet", "laser", "plotter", "press"])
    await server.operator.send("resume-provider", { provider });
  for (let hasMore = true; hasMore; ) {
    const withdrawn = await server.operator.send("cancel-jobs", {
      filter: { states: ["QUEUED"] },
      limit: 1_000,
      reason: "makes room",
    });
    hasMore = withdrawn.hasMore === true;
  }
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
}

const listed = `{ jobs(first: 5) { edges { cursor node { id } } } attempts(first: 5) { edges { cursor node { id } } }
  certifications(first: 5) { edges { cursor node { id } } } auditLog(first: 5) { edges { cursor node { id } } } }`;

async function makeThings(server: ApiServer): Promise<Pools> {
  await clearTheWay(server);
  const anns = [...(await makeJobs(server, "ann")), ...(await makeJobs(server, "ann"))];
  const job = [...anns, ...(await makeJobs(server, "bob"))];
  const purged = anns.filter(({ state }) => state === "SUCCEEDED").slice(1);
  await purge(server, purged);
  await server.operator.send("pause-provider", { provider: "plotter", reason: "out of ink" });
  const lists = Object.entries(await connectApi(server.url, "operator").ask<Record<string, Page>>(listed));
  const nodes = lists.flatMap(([, { edges }]) => edges.map(({ node }) => node));
  const cursor = [0, 1, 2].map((place) =>
    Object.fromEntries(lists.map(([name, { edges }]) => [name, edges[place % edges.length]?.cursor ?? ""])),
  );
  const configured = ["op_print", "op_fax", "op_any", "prov_inkjet", "prov_plotter", "prov_telex"].map((id) => ({
    id,
  }));
  const held = job.filter(({ state }) => state === "RUNNING" || state === "UNKNOWN");
  return {
    job,
    held: [...held, ...job],
    failed: job.filter(({ state }) => state === "FAILED"),
    purged,
    id: [...nodes, ...configured, { id: encodeId("cert", randomUUID()) }, { id: encodeId("audit", randomUUID()) }],
    cursor,
  };
}

export async function openWorld(server: ApiServer): Promise<World> {
  for (const status of certificationStatuses) await certify(server.sql, { status });
  const checked = await certify(server.sql, { status: "FAILED", operation: "any", provider: "plotter" });
  await server.sql`insert into certification_checks (certification_id, ordinal, code, passed, runs, failures, path, required, observed)
    values (${checked}, 1, 'output.schema', false, 3, 1, '/pages', 'an integer', '"one"')`;
  const jwt = await signed({ roles: ["OWNER"] });
  const makeToken = async ({ job: [, running] }: Pools) =>
    (await mint(server, running?.["jobId"] ?? "", everyRight)).token;
  let pools = await makeThings(server);
  let jobToken = await makeToken(pools);
  return {
    tokenOf: (caller) => (caller === "jwt" ? jwt : caller === "jobToken" ? jobToken : tokens[caller]),
    resolve({ pool, index, field }) {
      const things = pools[pool];
      return things[index % things.length]?.[field] ?? "nothing";
    },
    async renew() {
      pools = await makeThings(server);
      jobToken = await makeToken(pools);
    },
  };
}
