/** Ann's jobs in every state with everything filled in that can be, each text a secret. Made through the API, as ann, workers and an operator would. */
import { randomUUID } from "node:crypto";
import { decodeId } from "../../src/store/ids.ts";
import type { ClaimView } from "./api-answers.ts";
import type { Fields } from "./api-client.ts";
import type { ApiServer } from "./api-server.ts";
import { type Held, holding } from "./api-worker.ts";
import { annsOwnerId } from "./isolation-config.ts";
import { secret, secretTraceId } from "./isolation-secrets.ts";
import { stripJob } from "./strip-job.ts";
import { waitUntil } from "./wait-until.ts";

/** A job of ann's, and what she or a worker needs to name it. */
export interface Thing {
  readonly name: string;
  readonly jobId: string;
  readonly attemptId: string;
  readonly key: string;
}

/** The key of the job with this name, which others can only guess. */
export function keyOf(name: string): string {
  return secret(`key-${name}`);
}

const headers = { traceparent: `00-${secretTraceId}-00f067aa0ba902b7-01` };
/** No claim takes it: its time is far off. */
const later = "2100-01-01T00:00:00Z";

interface Making {
  readonly thing: Thing;
  readonly held: Held;
}

/** Makes them one after the other, so that each claim finds the one job that waits. */
export async function makeAnnsJobs(server: ApiServer): Promise<readonly Thing[]> {
  const { ann, operator } = server;
  const workers = server.worker.api;
  const things: Thing[] = [];

  async function create(name: string, more: Fields = {}): Promise<Thing> {
    const input = {
      idempotencyKey: keyOf(name),
      operation: "paper",
      input: { [secret(`input-name-${name}`)]: secret(`input-${name}`) },
      metadata: { note: secret(`metadata-${name}`) },
      ...more,
    };
    const { job, ...refusal } = await ann.create(input, headers);
    if (job === undefined) throw new Error(`createJob was refused: ${JSON.stringify(refusal)}`);
    const thing = { name, jobId: job.id, attemptId: job.latestAttempt.id, key: keyOf(name) };
    things.push(thing);
    return thing;
  }

  async function take(thing: Thing): Promise<Held> {
    const input = {
      workerId: secret(`worker-${thing.name}`),
      claimKey: secret(`claim-${thing.name}-${randomUUID()}`),
      providers: ["inkjet", "laser"],
      operations: ["paper", "card"],
      limit: 100,
    };
    const { claims = [] } = await workers.send("claim-attempts", input);
    const claim = claims.find(({ attempt }: ClaimView) => attempt.job.id === thing.jobId);
    if (claim === undefined || claims.length > 1) throw new Error(`${thing.name} was not the one job to claim.`);
    const index = things.findIndex(({ jobId }) => jobId === thing.jobId);
    things[index] = { ...thing, attemptId: claim.attempt.id };
    return holding(workers, claim);
  }

  async function running(name: string, more: Fields = {}): Promise<Making> {
    const thing = await create(name, more);
    const held = await take(thing);
    await held.running(secret(`request-${name}`));
    await held.beat({ fraction: 0.25, message: secret(`progress-${name}`) });
    return { thing, held };
  }

  await create("queued", { notBefore: later });
  await running("running");
  const failure = (name: string, more: Fields = {}) => ({
    code: secret(`failure-code-${name}`),
    message: secret(`failure-${name}`),
    ...more,
  });
  await (await running("unknown")).held.fail("UNCERTAIN", failure("unknown"));
  await (await running("failed")).held.fail("DEFINITE", failure("failed", { remedy: "NONE" }));
  await (await running("retrying")).held.fail("DEFINITE", failure("retrying", { remedy: "SAME_PROVIDER" }));
  await (await running("succeeded")).held.complete({ pages: secret("result-succeeded") });
  const rejected = await running("rejected", { operation: "card" });
  await rejected.held.complete({ [secret("rejected")]: 1 });
  const purged = await running("purged");
  await purged.held.complete({ pages: secret("result-purged") });
  await stripJob(server.sql, decodeId("job", purged.thing.jobId) ?? "");
  const withdrawn = await create("withdrawn", { notBefore: later });
  await ann.send("cancel-job", { jobId: withdrawn.jobId, reason: secret("reason-withdrawn") });
  const swept = await create("swept", { notBefore: later });
  const filter = { idempotencyKey: swept.key };
  await ann.send("cancel-jobs", { filter, reason: secret("reason-swept") });
  const cancelled = await create("cancelled", { notBefore: later });
  await ann.cancelAttempt(cancelled.attemptId, secret("reason-cancelled"));

  const resolved = await running("resolved");
  await resolved.held.fail("UNCERTAIN", failure("resolved"));
  const { attempt } = resolved.held;
  await operator.send("resolve-attempt", {
    attemptId: attempt.id,
    outcome: "SUCCEEDED",
    result: secret("result-resolved"),
    evidence: secret("evidence"),
  });

  const taken = await running("taken-over");
  await taken.held.fail("UNCERTAIN", failure("taken-over"));
  await operator.cancelAttempt(taken.held.attempt.id, secret("reason-taken-over"));
  const override = { provider: "laser", overrideGate: true, reason: secret("override") };
  await operator.retry(taken.thing.jobId, taken.held.attempt.id, override);
  const second = await take(taken.thing);
  await second.running(secret("request-second"));
  await second.complete(secret("result-taken-over"));
  await taken.held.complete(secret("discarded"));

  const released = await running("released");
  await released.held.complete(secret("result-released"));
  await stripJob(server.sql, decodeId("job", released.thing.jobId) ?? "");
  const key = { ownerId: annsOwnerId, idempotencyKey: released.thing.key };
  await operator.send("release-key", { ...key, reason: secret("reason-released") });

  const lost = await create("lost", { operation: "poster" });
  await waitUntil("the press has lost the poster", async () => (await ann.job(lost.jobId)).state === "UNKNOWN");
  await operator.send("look-up-attempt", { attemptId: lost.attemptId });
  return things;
}
