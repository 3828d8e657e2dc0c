/** Chooses what an actor does next about one job: each verb, with the arguments that careless and unlucky callers would give it. */
import { type Chance, chooseAttempt, chooseClaim, chooseCreate, chooseReport, results } from "./choose-work.ts";
import type { Caller, Command, Verb } from "./commands.ts";
import { deedsFor } from "./meddle.ts";
import { isClosed, type ModelJob } from "./model/world.ts";
import { droppedProvider, operator, owners, providers } from "./settings.ts";

/** How often each verb is chosen, before a seed puts weights of its own on it. */
export const usualWeights: Readonly<Record<Verb, number>> = {
  createJob: 10,
  claimAttempts: 18,
  markRunning: 8,
  heartbeat: 6,
  completeAttempt: 9,
  failAttempt: 14,
  expireAttempts: 6,
  cancelAttempt: 6,
  cancelJob: 2,
  cancelJobs: 1,
  retryJob: 14,
  resolveAttempt: 4,
  markLookedUp: 2,
  pauseProvider: 1,
  resumeProvider: 3,
  releaseKey: 2,
  certify: 5,
  revoke: 2,
  strip: 2,
  meddle: 2,
};

function chooseCaller({ random }: Chance, job: ModelJob): Caller {
  return random.weighted<Caller>([
    [{ name: job.owner, role: "owner" }, 4],
    [{ name: job.owner === "ann" ? "bob" : "ann", role: "owner" }, 1],
    [{ name: operator, role: "operator" }, 4],
    [{ name: operator, role: "both" }, 1],
  ]);
}

/** Null where the verb has nothing to be said about. */
export function chooseCommand(chance: Chance, verb: Verb, job: ModelJob | null): Command | null {
  const { random, world } = chance;
  switch (verb) {
    case "createJob":
      return chooseCreate(chance, job);
    case "claimAttempts":
      return chooseClaim(chance, job);
    case "expireAttempts":
      return {
        do: verb,
        limit: random.weighted([
          [100, 4],
          [1, 1],
        ]),
      };
    case "pauseProvider":
    case "resumeProvider":
      return { do: verb, provider: random.pick(world.paused.size > 0 ? [...world.paused] : providers) };
    case "certify":
      return {
        do: verb,
        operation: job?.operation ?? "print",
        provider: random.pick(providers),
        status: random.weighted([
          ["PASSED", 6],
          ["FAILED", 1],
          ["RUNNING", 1],
          ["INCONCLUSIVE", 1],
        ]),
        expiresInMs: random.weighted<number | null>([
          [null, 2],
          [30_000, 1],
        ]),
      };
    case "revoke": {
      const passed = world.certifications.filter((one) => one.status === "PASSED");
      return passed.length === 0 ? null : { do: verb, certificationId: random.pick(passed).id };
    }
    case "cancelJobs":
      return {
        do: verb,
        owner: random.pick(owners),
        limit: 1 + random.below(4),
        caller: { name: operator, role: "operator" },
      };
    default:
      return job === null ? null : chooseAboutJob(chance, verb, job);
  }
}

type AboutJob = Exclude<
  Verb,
  | "createJob"
  | "claimAttempts"
  | "expireAttempts"
  | "pauseProvider"
  | "resumeProvider"
  | "certify"
  | "revoke"
  | "cancelJobs"
>;

function chooseAboutJob(chance: Chance, verb: AboutJob, job: ModelJob): Command | null {
  const { random } = chance;
  const jobId = job.id ?? "";
  switch (verb) {
    case "cancelAttempt":
      return { do: verb, attemptId: chooseAttempt(chance, job).id ?? "", caller: chooseCaller(chance, job) };
    case "cancelJob":
      return { do: verb, jobId, caller: chooseCaller(chance, job) };
    case "retryJob": {
      const provider = random.weighted<string | null>([
        [null, 4],
        ["laser", 2],
        ["plotter", 2],
        ["inkjet", 1],
        [droppedProvider, 1],
      ]);
      const caller = chooseCaller(chance, job);
      const override = caller.role !== "owner" && random.chance(0.25);
      return { do: verb, jobId, afterAttemptId: chooseAttempt(chance, job).id ?? "", provider, override, caller };
    }
    case "resolveAttempt": {
      const failed = random.chance(0.5) ? { code: "RESOLVED_FAILED", uncertain: random.chance(0.5) } : null;
      return {
        do: verb,
        attemptId: chooseAttempt(chance, job).id ?? "",
        result: failed === null ? random.pick(results) : null,
        failed,
        lookedUp: random.chance(0.3),
      };
    }
    case "markLookedUp":
      return { do: verb, attemptId: chooseAttempt(chance, job).id ?? "" };
    case "releaseKey":
      return { do: verb, owner: job.owner, key: job.key };
    case "strip":
      return isClosed(job) ? { do: verb, jobId } : null;
    case "meddle": {
      const deeds = deedsFor(job, chance.guarded);
      return deeds.length === 0 ? null : { do: verb, deed: random.pick(deeds), jobId };
    }
    default:
      return chooseReport(chance, verb, job);
  }
}
