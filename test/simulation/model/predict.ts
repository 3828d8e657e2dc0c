/** The model's front door: what a command must answer in a world, and the world that it must leave. Pure. */
import type { Command, Json, Seen } from "../commands.ts";
import { operator } from "../settings.ts";
import { claim, create } from "./create-and-claim.ts";
import { act, cancelAttempt, cancelJob, cancelJobs, markLookedUp, releaseKey, resolve, retry } from "./decisions.ts";
import { expire, report } from "./reports.ts";
import { change, type Draft, fork, isClosed, jobById, type World } from "./world.ts";

export interface Prediction {
  readonly world: World;
  /** What must have been seen; ids and tokens that the database chose are taken over from what was. */
  readonly answer: Json;
}

const byOperator = { cause: "OPERATOR", name: operator };

/** `loose` where other commands were under way at the same time: claims and sweeps may pass by what those hold. */
export function predict(world: World, command: Command, seen: Seen, loose: boolean): Prediction {
  const draft = fork(world);
  const answer = carryOut(draft, command, seen, loose);
  return { world: draft, answer };
}

function carryOut(draft: Draft, command: Command, seen: Seen, loose: boolean): Json {
  switch (command.do) {
    case "createJob":
      return create(draft, command, seen);
    case "claimAttempts":
      return claim(draft, command, seen, loose);
    case "markRunning":
    case "heartbeat":
    case "completeAttempt":
    case "failAttempt":
      return report(draft, command);
    case "expireAttempts":
      return expire(draft, command, seen, loose);
    case "cancelAttempt":
      return cancelAttempt(draft, command);
    case "cancelJob":
      return cancelJob(draft, command.jobId, command.caller, "cancelJob");
    case "cancelJobs":
      return cancelJobs(draft, command);
    case "retryJob":
      return retry(draft, command, seen);
    case "resolveAttempt":
      return resolve(draft, command, byOperator);
    case "markLookedUp":
      return markLookedUp(draft, command, byOperator);
    case "releaseKey":
      return releaseKey(draft, command, byOperator);
    case "pauseProvider":
    case "resumeProvider":
      return setPaused(draft, command.provider, command.do);
    case "certify":
      return certify(draft, command, seen);
    case "revoke":
      draft.certifications = draft.certifications.map((one) =>
        one.id === command.certificationId ? { ...one, status: "REVOKED" } : one,
      );
      return "revoked";
    case "strip":
      return strip(draft, command.jobId);
    case "meddle":
      return "refused";
  }
}

function setPaused(draft: Draft, provider: string, action: "pauseProvider" | "resumeProvider"): Json {
  const pauses = action === "pauseProvider";
  const repeated = draft.paused.has(provider) === pauses;
  if (pauses) draft.paused.add(provider);
  else draft.paused.delete(provider);
  if (!repeated) act(draft, action, byOperator);
  return { kind: pauses ? "paused" : "resumed", repeated };
}

function certify(draft: Draft, command: Extract<Command, { do: "certify" }>, seen: Seen): Json {
  const id = typeof seen === "string" ? seen : "";
  const { operation, provider, status, expiresInMs } = command;
  const revision = draft.revisions[provider] ?? "";
  const expiresAt = expiresInMs === null ? null : draft.now + expiresInMs;
  draft.certifications = [
    ...draft.certifications,
    { id, operation, provider, revision, status, startedAt: draft.now, expiresAt },
  ];
  return id;
}

function strip(draft: Draft, jobId: string): Json {
  const found = jobById(draft, jobId);
  if (found === null || !isClosed(found) || found.purgedAt !== null) return "nothing";
  const job = change(draft, found);
  job.purgedAt = draft.now;
  job.input = null;
  job.result = null;
  job.failure = null;
  return "stripped";
}
