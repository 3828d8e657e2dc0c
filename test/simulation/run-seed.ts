/** Plays one seed: step after step it lets chance act, and holds what was seen against the model and the invariants. */
import { checkInvariants } from "../support/check-invariants.ts";
import { choosePassing, chooseStep, habitsOf, type Memory } from "./choose-step.ts";
import type { Command } from "./commands.ts";
import { brokenRules } from "./invariants.ts";
import { judgeStep } from "./judge-step.ts";
import { newestWorld, type World } from "./model/world.ts";
import { Names } from "./names.ts";
import type { Scene } from "./open-scene.ts";
import { randomOf } from "./random.ts";
import { RowReader, type Rows } from "./read-rows.ts";
import { type Outcome, runStep, type Step } from "./run-step.ts";
import { mostKeysPerOwner, owners, providers } from "./settings.ts";

export interface Failure {
  readonly seed: number;
  readonly step: number;
  /** Which of the checks it was. */
  readonly check: "model" | "invariants" | "invariants in SQL" | "owners apart";
  readonly complaints: readonly string[];
  /** The newest last. */
  readonly lastSteps: readonly string[];
}

export interface Tally {
  steps: number;
  commands: number;
  races: number;
  held: number;
  cutOff: number;
  discards: number;
}

export interface SeedReport {
  readonly tally: Tally;
  readonly failure: Failure | null;
}

const startsAt = 2_000_000_000_000;
const stepsShown = 25;
const commandsRemembered = 30;
const nothing: Rows = { jobs: [], strays: { attempts: 0, events: 0 }, paused: [], acts: [] };

function describe(index: number, now: number, step: Step, outcomes: readonly Outcome[], names: Names): string {
  const held = step.hold === null ? "" : ` held at the ${step.hold.point}${step.cuts ? " and cut off" : ""}`;
  const lines = outcomes.map(({ command, seen, wasCutOff }, at) => {
    const { do: verb, ...rest } = command;
    return `    store ${step.commands[at]?.store}: ${verb} ${JSON.stringify(rest)}\n      → ${wasCutOff ? "cut off" : JSON.stringify(seen)}`;
  });
  return names.say([`step ${index} at ${now - startsAt} ms${held}`, ...lines].join("\n"));
}

const countDiscards = (rows: Rows): number =>
  rows.jobs.reduce((sum, job) => sum + job.events.filter((event) => event.digest !== null).length, 0);

/** I11, over everything that the seed has left: each owner's reads find that owner's jobs and attempts alone. */
async function ownersApart({ stores }: Scene, rows: Rows): Promise<string[]> {
  const [store] = stores;
  const ids = rows.jobs.map((job) => job.id);
  const attemptIds = rows.jobs.flatMap((job) => job.attempts.map((one) => one.id));
  const found = await Promise.all(
    owners.map(async (owner) => {
      const own = rows.jobs.filter((job) => job.owner === owner);
      const jobs = await store.read.jobs(ids, owner);
      const attempts = await store.read.attempts(attemptIds, owner);
      const ownAttempts = own.reduce((sum, job) => sum + job.attempts.length, 0);
      const right =
        jobs.length === own.length && jobs.every((job) => job.ownerId === owner) && attempts.length === ownAttempts;
      return right
        ? []
        : [
            `I11: ${owner} sees ${jobs.length} jobs and ${attempts.length} attempts, and has ${own.length} and ${ownAttempts}`,
          ];
    }),
  );
  return found.flat();
}

export async function runSeed(
  scene: Scene,
  seed: number,
  steps: number,
  onStep: () => void = () => {},
): Promise<SeedReport> {
  await scene.empty();
  const reader = new RowReader(scene.reader);
  const names = new Names();
  const lastSteps: string[] = [];
  const forgotten = new Set<string>();
  const past: Command[] = [];
  const ofSeed = randomOf(seed, -1);
  const memory: Memory = { past, habits: habitsOf(ofSeed) };
  const keysPerOwner = 1 + ofSeed.below(mostKeysPerOwner);
  const tally: Tally = { steps: 0, commands: 0, races: 0, held: 0, cutOff: 0, discards: 0 };
  let world: World = newestWorld(startsAt, Object.fromEntries(providers.map((name) => [name, "1"])));
  let before = nothing;
  const fail = (check: Failure["check"], complaints: readonly string[]): SeedReport => {
    const said = complaints.map((complaint) => names.say(complaint));
    return { tally, failure: { seed, step: tally.steps, check, complaints: said, lastSteps } };
  };

  for (let index = 1; index <= steps; index += 1) {
    const random = randomOf(seed, index);
    world = { ...world, now: world.now + choosePassing(random) };
    await scene.setClock(world.now);
    if (random.chance(0.03)) world = reconfigure(world, random.pick(providers));
    if (random.chance(0.03)) forgetTokens(world, forgotten, random.pick(["wim", "eva", "ida"]));
    const step = chooseStep({ random, world, guarded: scene.guarded, keysPerOwner, forgotten }, memory);
    const outcomes = await runStep(scene, step, world);
    const rows = await reader.read();
    names.learn(rows);
    count(tally, step, outcomes, countDiscards(rows) - countDiscards(before));
    lastSteps.push(describe(index, world.now, step, outcomes, names));
    lastSteps.splice(0, lastSteps.length - stepsShown);
    const broken = brokenRules(
      before,
      rows,
      outcomes.some(({ command }) => command.do === "releaseKey"),
      names.of,
    );
    if (broken.length > 0) return fail("invariants", broken);
    const loose = step.commands.length > 1 || step.hold !== null;
    const verdict = judgeStep(world, outcomes, rows, loose, names.of);
    if ("complaints" in verdict) return fail("model", verdict.complaints);
    world = verdict.world;
    before = rows;
    // What someone in psql tried fits the job as it was then.
    past.push(...step.commands.map(({ command }) => command).filter((command) => command.do !== "meddle"));
    past.splice(0, past.length - commandsRemembered);
    onStep();
  }
  const brokenInSql = await checkInvariants(scene.reader);
  if (brokenInSql.length > 0) return fail("invariants in SQL", brokenInSql);
  const seenByOthers = await ownersApart(scene, before);
  return seenByOthers.length > 0 ? fail("owners apart", seenByOthers) : { tally, failure: null };
}

function count(tally: Tally, step: Step, outcomes: readonly Outcome[], discards: number): void {
  tally.steps += 1;
  tally.commands += outcomes.length;
  tally.races += outcomes.length > 1 ? 1 : 0;
  tally.held += step.hold === null ? 0 : 1;
  tally.cutOff += outcomes.filter((one) => one.wasCutOff).length;
  tally.discards += Math.max(0, discards);
}

/** The provider's model or endpoint has changed, which voids its certifications. */
function reconfigure(world: World, provider: string): World {
  return { ...world, revisions: { ...world.revisions, [provider]: `${Number(world.revisions[provider]) + 1}` } };
}

/** A worker crashes: nobody will ever again speak for what it held. */
function forgetTokens(world: World, forgotten: Set<string>, subject: string): void {
  for (const job of world.jobs.values())
    for (const { claimedBy, token } of job.attempts) if (claimedBy === subject && token !== null) forgotten.add(token);
}
