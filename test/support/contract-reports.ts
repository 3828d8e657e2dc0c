/** Workers' reports about a claimed attempt, and the tests that all four mutations for them have alike. */
import { expect } from "vitest";
import type { Answer } from "./api-answers.ts";
import type { Fields } from "./api-client.ts";
import { claimedJob, type JobStateName } from "./api-reach.ts";
import type { Keep } from "./contract-promises.ts";
import { look, mutate, type World } from "./contract-world.ts";

export const verbs = ["MarkAttemptRunning", "HeartbeatAttempt", "CompleteAttempt", "FailAttempt"] as const;
export type Verb = (typeof verbs)[number];
const mutationOf = (verb: Verb) => `${verb[0]!.toLowerCase()}${verb.slice(1)}`;

/** A good report, but for the claim that it is about. */
const reports: Readonly<Record<Verb, Fields>> = {
  MarkAttemptRunning: { providerRequestId: "print-17" },
  HeartbeatAttempt: { progress: { fraction: 0.5, message: "Page 1" } },
  CompleteAttempt: { result: { pages: 1 } },
  FailAttempt: { certainty: "DEFINITE", code: "NO_INK", message: "No ink.", remedy: "NONE" },
};
/** What cannot be stored, or means nothing. */
const faulty: Readonly<Record<Verb, Fields>> = {
  MarkAttemptRunning: { providerRequestId: "" },
  HeartbeatAttempt: { progress: { fraction: 2 } },
  CompleteAttempt: { result: { pages: "\0" } },
  FailAttempt: { code: "" },
};
const answers: Readonly<Record<Verb, string>> = {
  MarkAttemptRunning: "attempt { id state }",
  HeartbeatAttempt: "attempt { id state } leaseExpiresAt leaseMs",
  CompleteAttempt: "attempt { id state } job { id state }",
  FailAttempt: "attempt { id state } job { id state }",
};

export interface Reporting {
  readonly attemptId: string;
  readonly jobId: string;
  /** Sends the verb's good report, or it with changes. */
  report(verb: Verb, more?: Fields): Promise<Answer & Fields>;
}

/** A claimed attempt, at a job in the state, and a report about it. */
export async function hold(world: World, state: JobStateName | "STARTING" = "STARTING"): Promise<Reporting> {
  const reached = state === "STARTING" ? null : await world.fresh(state);
  const claim = reached?.held?.claim ?? (await claimedJob(world, "steady")).held.claim;
  const attemptId = claim.attempt.id;
  const jobId = claim.attempt.job.id;
  const report = (verb: Verb, more: Fields = {}) => {
    const input = { attemptId, leaseToken: claim.leaseToken, ...reports[verb], ...more };
    return mutate(world.worker.api, mutationOf(verb), input, `... on ${verb}Success { ${answers[verb]} }`);
  };
  return { attemptId, jobId, report };
}

const effects: Readonly<Record<Verb, string>> = {
  MarkAttemptRunning: "RUNNING",
  HeartbeatAttempt: "STARTING",
  CompleteAttempt: "SUCCEEDED",
  FailAttempt: "FAILED",
};

/** `world` is there only when the tests run. */
export function promiseReport(promise: Keep, verb: Verb, world: () => World): void {
  const held = (state?: JobStateName) => hold(world(), state);

  promise(`Mutation.${mutationOf(verb)}`, `leaves the attempt ${effects[verb]}`, async () => {
    const { attemptId, report } = await held();
    await report(verb);
    expect(await look(world().ann, attemptId, "state")).toBe(effects[verb]);
  });

  promise(`${verb}Input.attemptId`, "is the attempt that it is about", async () => {
    const { report } = await held();
    const other = await held();
    expect(await report(verb, { attemptId: other.attemptId })).toMatchObject({ __typename: "LeaseLost" });
    expect(await report(verb)).toMatchObject({ __typename: `${verb}Success` });
  });

  promise(`${verb}Input.leaseToken`, "is the claim's, and another one changes nothing", async () => {
    const { attemptId, report } = await held();
    expect(await report(verb, { leaseToken: "another" })).toMatchObject({ __typename: "LeaseLost" });
    expect(await look(world().ann, attemptId, "state")).toBe("STARTING");
    expect(await report(verb)).toMatchObject({ __typename: `${verb}Success` });
  });

  promise(`${verb}Success.attempt`, "is the attempt after it", async () => {
    const { attemptId, report } = await held();
    expect(await report(verb)).toMatchObject({ attempt: { id: attemptId, state: effects[verb] } });
  });

  promise(`${verb}Result = ${verb}Success`, "answers a report under its claim, and the repeat of one", async () => {
    const { report } = await held();
    expect(await report(verb)).toMatchObject({ __typename: `${verb}Success` });
    expect(await report(verb)).toMatchObject({ __typename: `${verb}Success` });
  });

  promise(`${verb}Result = LeaseLost`, "answers another token", async () => {
    expect(await (await held()).report(verb, { leaseToken: "another" })).toMatchObject({ __typename: "LeaseLost" });
  });

  promise(`${verb}Result = InvalidInput`, "answers what cannot be taken, and nothing is written", async () => {
    const { jobId, report } = await held();
    const rows = await world().rowsOf(jobId);
    expect(await report(verb, faulty[verb])).toMatchObject({ __typename: "InvalidInput" });
    expect(await world().rowsOf(jobId)).toEqual(rows);
  });

  promise(`${verb}Result = NotFound`, "answers an id that names nothing", async () => {
    const { report } = await held();
    expect(await report(verb, { attemptId: "att_01h455vb4pex5vsknk084sn02q" })).toMatchObject({
      __typename: "NotFound",
    });
  });

  if (verb === "CompleteAttempt") return;
  promise(`${verb}Result = AttemptClosed`, "answers where the attempt has ended in another way", async () => {
    const { attemptId, report } = await held("RUNNING");
    await world().operator.cancelAttempt(attemptId);
    expect(await report(verb)).toMatchObject({ __typename: "AttemptClosed" });
  });
}
