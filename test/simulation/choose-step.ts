/** Chooses what happens next: how much time passes, who acts, and whether several act on one job at once, held or cut off at a point. */
import { chooseCommand, usualWeights } from "./choose-command.ts";
import type { Chance } from "./choose-work.ts";
import type { Command, Verb } from "./commands.ts";
import { points } from "./hold-point.ts";
import { isClosed, latestOf, type ModelJob } from "./model/world.ts";
import type { Random } from "./random.ts";
import type { Step } from "./run-step.ts";

type Weights = readonly (readonly [Verb, number])[];

/** Each seed has habits of its own, so that a thousand seeds are not one seed a thousand times. */
export function habitsOf(random: Random): Weights {
  const essential = new Set<Verb>(["createJob", "claimAttempts"]);
  return (Object.entries(usualWeights) as [Verb, number][]).map(([verb, weight]) => {
    const factor = random.pick(essential.has(verb) ? [1, 2] : [0, 1, 1, 1, 3]);
    return [verb, weight * factor] as const;
  });
}

/** What may not take part in a race: it reads first and acts then, by design, or its answer is the point. */
const alone = new Set<Verb>(["cancelJobs", "meddle"]);
/** Their order among themselves is decided by an instant, which is one for the whole step. */
const onceInRace = new Set<Verb>(["certify"]);

export interface Memory {
  /** Commands that were carried out, newest last: whose answer was lost is asked again. */
  readonly past: readonly Command[];
  readonly habits: Weights;
}

/** Time that passes before the step: a moment as a rule, sometimes more than a lease, a deadline or a delay. */
export function choosePassing(random: Random): number {
  return random.chance(0.12) ? random.pick([1_000, 1_500, 5_000, 20_000, 60_000]) : 1 + random.below(40);
}

function chooseJob({ random, world }: Chance): ModelJob | null {
  const jobs = [...world.jobs.values()];
  if (jobs.length === 0) return null;
  const open = jobs.filter((job) => !isClosed(job));
  return open.length > 0 && random.chance(0.75) ? random.pick(open) : random.pick(jobs);
}

function chooseOne(chance: Chance, memory: Memory, job: ModelJob | null): Command {
  const { random } = chance;
  if (job !== null && isClosed(job) && random.chance(0.15)) {
    // Keys become free again, else nothing would be left to be done.
    const { id, owner, key, purgedAt } = job;
    return purgedAt === null ? { do: "strip", jobId: id ?? "" } : { do: "releaseKey", owner, key };
  }
  for (let tries = 0; tries < 50; tries += 1) {
    // A new job for a free key, or something about the one that was chosen.
    const verb = random.weighted(memory.habits);
    const target = verb === "createJob" && random.chance(0.6) ? null : job;
    const command = chooseCommand(chance, verb, target);
    if (command !== null) return command;
  }
  return { do: "expireAttempts", limit: 100 };
}

function isOverdue({ world }: Chance, job: ModelJob): boolean {
  const { leaseExpiresAt, deadlineAt } = latestOf(job);
  return leaseExpiresAt !== null && Math.min(leaseExpiresAt, deadlineAt ?? 0) <= world.now;
}

function chooseRace(chance: Chance, memory: Memory, job: ModelJob): Command[] {
  const { random } = chance;
  // What is overdue is where a sweep meets the worker who comes back after all.
  const isSwept = isOverdue(chance, job) && random.chance(0.5);
  const commands: Command[] = isSwept ? [{ do: "expireAttempts", limit: 100 }] : [];
  const size = random.chance(0.35) ? 3 : 2;
  while (commands.length < size) {
    const [first] = commands;
    // The same click twice at once, or something else about the same job.
    const command =
      first !== undefined && first.do !== "expireAttempts" && random.chance(0.2)
        ? first
        : chooseOne(chance, memory, job);
    const clashes = onceInRace.has(command.do) && commands.some((one) => one.do === command.do);
    if (!alone.has(command.do) && !clashes) commands.push(command);
  }
  // Who is asked first is first in line.
  return random.chance(0.5) ? commands : commands.toReversed();
}

export function chooseStep(chance: Chance, memory: Memory): Step {
  const { random } = chance;
  const job = chooseJob(chance);
  const isRace = job !== null && random.chance(0.3);
  const isRepeat = !isRace && memory.past.length > 0 && random.chance(0.1);
  const chosen = isRace
    ? chooseRace(chance, memory, job)
    : [isRepeat ? random.pick(memory.past) : chooseOne(chance, memory, job)];
  const commands = chosen.map((command) => ({ command, store: random.below(2) as 0 | 1 }));
  const isHeld = job !== null && !chosen.some((command) => alone.has(command.do)) && random.chance(isRace ? 0.5 : 0.06);
  if (!isHeld) return { commands, hold: null, cuts: false };
  const hold = {
    point: random.pick(points),
    jobId: job.id ?? "",
    attemptId: latestOf(job).id ?? "",
    nextEvent: job.events.length + 1,
  };
  return { commands, hold, cuts: random.chance(isRace ? 0.15 : 0.8) };
}
