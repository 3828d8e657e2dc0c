/** Chooses what owners and workers ask all day long: createJob, claimAttempts and the reports, as careless and unlucky callers would. */
import type { Command, Intent } from "./commands.ts";
import { isLive, latestOf, type ModelAttempt, type ModelJob, type World } from "./model/world.ts";
import type { Random } from "./random.ts";
import { droppedProvider, operations, owners, providers, workers } from "./settings.ts";

export interface Chance {
  readonly random: Random;
  readonly world: World;
  readonly guarded: boolean;
  /** With few keys the same jobs are worked on again and again. */
  readonly keysPerOwner: number;
  /** Tokens whose worker has crashed, and with it the knowledge of them. */
  readonly forgotten: ReadonlySet<string>;
}

export const results = [{ pages: 1 }, { pages: 2 }, 7, "done"] as const;
const remedies = ["NONE", "OTHER_PROVIDER", "SAME_PROVIDER", "SAME_PROVIDER"] as const;
const nobodysToken = "00000000-0000-4000-8000-000000000000";

function chooseIntent({ random }: Chance): Intent {
  const provider = random.weighted<string | null>([
    [null, 6],
    ["inkjet", 2],
    ["laser", 2],
  ]);
  const fallbacks = random.weighted<readonly string[] | null>([
    [null, 6],
    [[], 1],
    [[droppedProvider, "plotter"], 2],
  ]);
  return {
    operation: random.weighted([
      ["print", 4],
      ["mail", 1],
    ]),
    ...(provider !== null && { provider }),
    ...(fallbacks !== null && { fallbackProviders: fallbacks }),
    input: { text: random.below(3) },
  };
}

/** The intent that the key already has, most of the time, or one that differs in a part of it. */
function repeatIntent(chance: Chance, job: ModelJob): Intent {
  const { random } = chance;
  const kind = random.weighted([
    ["same", 5],
    ["spelt out", 2],
    ["provider", 2],
    ["another", 2],
  ]);
  if (kind === "same") return job.intent;
  if (kind === "spelt out")
    return {
      operation: job.operation,
      provider: job.provider,
      fallbackProviders: job.fallbacks,
      input: job.intent.input,
    };
  if (kind === "provider") return { ...job.intent, provider: job.provider === "inkjet" ? "laser" : "inkjet" };
  return chooseIntent(chance);
}

export function chooseCreate(chance: Chance, job: ModelJob | null): Command {
  const { random } = chance;
  const owner = job?.owner ?? random.pick(owners);
  const key = job?.key ?? `key-${random.below(chance.keysPerOwner)}`;
  const intent = job === null ? chooseIntent(chance) : repeatIntent(chance, job);
  const priority = random.weighted([
    [0, 3],
    [5, 1],
    [-5, 1],
  ]);
  return {
    do: "createJob",
    owner,
    key,
    intent,
    priority,
    delayMs: random.weighted<number | null>([
      [null, 5],
      [2_000, 1],
    ]),
  };
}

export function chooseClaim({ random, world }: Chance, job: ModelJob | null): Command {
  const subject = random.pick(Object.keys(workers));
  const all = workers[subject] ?? providers;
  const wanted = job === null ? random.pick(all) : latestOf(job).provider;
  const some = random.chance(0.5) ? all : all.filter((name) => name === wanted);
  const claimKey = random.chance(0.4) ? `claim-${world.now}` : null;
  const only = random.chance(0.15) ? [random.pick(Object.keys(operations))] : null;
  return { do: "claimAttempts", subject, providers: some, operations: only, limit: 1 + random.below(3), claimKey };
}

/** Mostly the newest attempt; now and then one whose time is over. */
export function chooseAttempt({ random }: Chance, job: ModelJob): ModelAttempt {
  return random.chance(0.7) ? latestOf(job) : random.pick(job.attempts);
}

/** An attempt that some worker still knows: the one under way as a rule, often one whose time is over; null where there is none. */
function chooseClaimed(chance: Chance, job: ModelJob): ModelAttempt | null {
  const known = job.attempts.filter((one) => one.token !== null && !chance.forgotten.has(one.token));
  const [held, over] = [known.filter((one) => isLive(one.state)), known.filter((one) => !isLive(one.state))];
  const chosen = held.length > 0 && (over.length === 0 || chance.random.chance(0.55)) ? held : over;
  return chosen.length === 0 ? null : chance.random.pick(chosen);
}

type ReportVerb = "markRunning" | "heartbeat" | "completeAttempt" | "failAttempt";

export function chooseReport(chance: Chance, verb: ReportVerb, job: ModelJob): Command {
  const { random, world } = chance;
  const attempt = chooseClaimed(chance, job) ?? latestOf(job);
  const tokens = [...world.jobs.values()].flatMap((one) => one.attempts.flatMap(({ token }) => token ?? []));
  const foreign = random.chance(0.07) || attempt.token === null;
  const token = foreign ? random.pick([nobodysToken, ...tokens]) : (attempt.token ?? nobodysToken);
  const subject =
    random.chance(0.05) || attempt.claimedBy === null ? random.pick(Object.keys(workers)) : attempt.claimedBy;
  const about = { subject, attemptId: attempt.id ?? "", token };
  switch (verb) {
    case "markRunning":
      return { do: verb, ...about, requestId: random.pick([null, "request-1", "request-2"]) };
    case "heartbeat":
      return { do: verb, ...about, fraction: random.pick([null, 0.25, 0.5]) };
    case "completeAttempt":
      return { do: verb, ...about, result: random.pick(results) };
    case "failAttempt": {
      const certain = random.chance(0.65);
      return {
        do: verb,
        ...about,
        certain,
        code: random.pick(["JAMMED", "REFUSED"]),
        remedy: random.pick(remedies),
        uncertain: random.chance(0.2),
      };
    }
  }
}
