/**
 * How places for new jobs are asked for: all callers of this process together, and past an owner whose row is held, so that
 * nobody else waits for it. What is granted is the statement's business, in write/take-creations.ts.
 */
import { Batcher, type Settled } from "./batcher.ts";
import type { TakeCreations, TakeCreationsAnswer } from "./commands.ts";
import { maxBatchSize } from "./notify.ts";
import type { VerbRun } from "./verb-run.ts";
import { takeCreations } from "./write/take-creations.ts";

/** Two under way would meet at the row of a busy owner; one that is under way makes the next one larger, hence cheaper. */
const batchesInFlight = 1;

interface Asked {
  readonly command: TakeCreations;
  settle(outcome: Settled<TakeCreationsAnswer>): void;
}

export function takesOf(run: VerbRun): (command: TakeCreations) => Promise<TakeCreationsAnswer> {
  /** Who stands behind a statement that waits for an owner's row: they go together, in the order asked, when it is through. */
  const behind = new Map<string, Asked[]>();

  /** Those of `asked` whose owner's row is held, with `passingBy`. */
  async function take(asked: readonly Asked[], passingBy: boolean): Promise<Asked[]> {
    if (asked.length === 0) return [];
    try {
      const commands = asked.map((one) => one.command);
      const answers = await takeCreations(run.sql, commands, passingBy);
      return asked.filter((one, index) => {
        const answer = answers[index] ?? null;
        if (answer !== null) one.settle({ answer });
        return answer === null;
      });
    } catch (error) {
      for (const one of asked) one.settle({ error });
      return [];
    }
  }

  /** Waits for an owner's row until nobody stands there any more, one statement at a time. */
  async function serve(ownerId: string): Promise<void> {
    const standing = behind.get(ownerId) ?? [];
    while (standing.length > 0) await run.lone(() => take(standing.splice(0, maxBatchSize), false));
    behind.delete(ownerId);
  }

  /** Whether there is a line for the owner's row to stand in; whoever asked first stands first. */
  function isInLine(one: Asked): boolean {
    return behind.get(one.command.ownerId)?.push(one) !== undefined;
  }

  const batcher = new Batcher<TakeCreations, TakeCreationsAnswer>({
    maxSize: maxBatchSize,
    maxInFlight: batchesInFlight,
    keyOf: () => null,
    async run(commands, settle) {
      const asked = commands.map((command, index) => ({
        command,
        settle: (outcome: Settled<TakeCreationsAnswer>) => settle(index, outcome),
      }));
      const free = asked.filter((one) => !isInLine(one));
      const heldUp = await take(free, true);
      const owners = new Set(heldUp.map((one) => one.command.ownerId));
      for (const ownerId of owners) behind.set(ownerId, []);
      for (const one of heldUp) isInLine(one);
      for (const ownerId of owners) void serve(ownerId);
    },
  });
  return (command) => batcher.ask(command);
}
