/**
 * How every verb of write/ is carried out: one statement for a batch first; what it left without a row is read, decided
 * anew, and answered or tried again alone. It holds no SQL and no rule of a verb.
 */
import type { Settled } from "./batcher.ts";
import { type Sql, sqlStateOf } from "./connect.ts";
import { notifyQueueFull } from "./notify.ts";
import type { VerbRun } from "./verb-run.ts";

/** How one statement is to be run. */
export interface Mode {
  /** Alone it waits for a locked row (up to the lock timeout); in a batch it skips one. */
  readonly alone: boolean;
  /** Prefix of the notification, or null to send none. */
  readonly notifyAs: string | null;
}

export interface Applied<Answer> {
  /** In the order of the plans; null where no row changed. */
  readonly answers: readonly (Answer | null)[];
  readonly changedJobIds: readonly string[];
  /** Whether an attempt may be waiting now. */
  readonly queued: boolean;
  /** Jobs of which the progress alone has changed; the statement sends no notification of them. */
  readonly progressedJobIds?: readonly string[];
  /** Times from now after which attempts that were queued come due. */
  readonly dueAfterMs?: readonly number[];
}

/** The answer to each plan from the row that carries its place in the batch, counted from 1; null where there is no row. */
export function answersInOrder<Row extends { readonly ord: number }, Answer>(
  plans: readonly unknown[],
  rows: readonly Row[],
  answer: (row: Row) => Answer,
): (Answer | null)[] {
  const byOrd = new Map(rows.map((row) => [row.ord, row]));
  return plans.map((_, index) => {
    const row = byOrd.get(index + 1);
    return row === undefined ? null : answer(row);
  });
}

export type Decision<Plan, Answer> = { readonly plan: Plan } | { readonly answer: Answer };

export interface Verb<Command, Plan, Answer> {
  readonly name: string;
  keyOf(command: Command): string | null;
  /** The plan of a verb whose statement guards itself; null for one that must read first. */
  outright(command: Command): Plan | null;
  /** Reads, and decides with a pure function: the answer, or a plan carrying what was read, which the statement compares. */
  decide(sql: Sql, commands: readonly Command[]): Promise<readonly Decision<Plan, Answer>[]>;
  /** One statement over all plans. */
  apply(sql: Sql, plans: readonly Plan[], mode: Mode): Promise<Applied<Answer>>;
}

type Settle<Answer> = (index: number, outcome: Settled<Answer>) => void;

interface Planned<Plan> {
  readonly index: number;
  readonly plan: Plan;
}

/** Rounds of deciding anew before a command is given up: each lost round means that another call got in between. */
const maxRounds = 20;

const deadlock = "40P01";

/** Refused because of what a row of the batch says, not because the database is in trouble: the others may go on. */
function isFaultOfOneRow(sqlState: string | null): boolean {
  return sqlState !== null && /^(22|23|55|OJ)/.test(sqlState);
}

export async function runVerb<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
  commands: readonly Command[],
  settle: Settle<Answer>,
): Promise<void> {
  const outright = commands.map((command) => verb.outright(command));
  const undecided = [...commands.keys()].filter((index) => outright[index] === null);
  const plans: Planned<Plan>[] = outright.flatMap((plan, index) => (plan === null ? [] : [{ index, plan }]));
  plans.push(...(await decideAll(run, verb, commands, undecided, settle)));
  const left = await applyGroup(run, verb, plans, { alone: false, notifyAs: run.notifyAs }, settle);
  if (left.length > 0) void finishAlone(run, verb, commands, left, settle);
}

/**
 * All are read together, which answers most; the rest goes on side by side, so that a locked job holds nobody else's up.
 * Not awaited by the batch, so it reports every error to its command.
 */
async function finishAlone<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
  commands: readonly Command[],
  indexes: readonly number[],
  settle: Settle<Answer>,
): Promise<void> {
  try {
    const plans = await decideAll(run, verb, commands, indexes, settle);
    for (const plan of plans) void run.lone(() => finishOne(run, verb, commands, plan, settle));
  } catch (error) {
    for (const index of indexes) settle(index, { error });
  }
}

/** Until it is answered: a plan that is no longer true by the time it is applied changes nothing, and is decided anew. */
async function finishOne<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
  commands: readonly Command[],
  decided: Planned<Plan>,
  settle: Settle<Answer>,
): Promise<void> {
  try {
    let plans: readonly Planned<Plan>[] = [decided];
    for (let round = 0; plans.length > 0; round += 1) {
      if (round === maxRounds) throw new Error(`${verb.name}: the job changed ${maxRounds} times meanwhile.`);
      const left = await applyGroup(run, verb, plans, { alone: true, notifyAs: run.notifyAs }, settle);
      plans = await decideAll(run, verb, commands, left, settle);
    }
  } catch (error) {
    settle(decided.index, { error });
  }
}

async function decideAll<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
  commands: readonly Command[],
  indexes: readonly number[],
  settle: Settle<Answer>,
): Promise<Planned<Plan>[]> {
  if (indexes.length === 0) return [];
  const decisions = await verb.decide(
    run.sql,
    indexes.map((index) => commands[index] as Command),
  );
  const plans: Planned<Plan>[] = [];
  for (const [position, index] of indexes.entries()) {
    const decision = decisions[position];
    if (decision === undefined) throw new Error(`${verb.name}: a command was left undecided.`);
    if ("answer" in decision) settle(index, decision);
    else plans.push({ index, plan: decision.plan });
  }
  return plans;
}

/**
 * Applies a group as one statement and answers with the indexes that are still open. A group that PostgreSQL refuses is
 * split until the culprit alone gets the error.
 */
async function applyGroup<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
  group: readonly Planned<Plan>[],
  mode: Mode,
  settle: Settle<Answer>,
): Promise<number[]> {
  if (group.length === 0) return [];
  try {
    const applied = await verb.apply(
      run.sql,
      group.map((one) => one.plan),
      mode,
    );
    if (applied.changedJobIds.length > 0 || applied.queued) run.changed(applied.changedJobIds, applied.queued);
    if (applied.progressedJobIds !== undefined && applied.progressedJobIds.length > 0)
      run.progressed(applied.progressedJobIds);
    for (const ms of new Set(applied.dueAfterMs)) run.dueAfter(ms);
    return group.flatMap(({ index }, position) => {
      const answer = applied.answers[position];
      if (answer === null || answer === undefined) return [index];
      settle(index, { answer });
      return [];
    });
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === null) run.lost();
    if (state === notifyQueueFull && mode.notifyAs !== null) {
      run.unheard();
      return applyGroup(run, verb, group, { ...mode, notifyAs: null }, settle);
    }
    if (state === deadlock) return group.map((one) => one.index);
    if (group.length === 1 || !isFaultOfOneRow(state)) {
      for (const one of group) settle(one.index, { error });
      return [];
    }
    const half = Math.ceil(group.length / 2);
    const first = await applyGroup(run, verb, group.slice(0, half), mode, settle);
    return [...first, ...(await applyGroup(run, verb, group.slice(half), mode, settle))];
  }
}
