/**
 * The SQL of the two lifecycle triggers, derived from the transition tables in domain/lifecycle.ts. It is pasted into a
 * migration, never run from here; a test holds the migrated database to it.
 */
import { attemptTransitions, jobTransitions } from "../domain/lifecycle.ts";

function allowedMoves(transitions: Readonly<Record<string, readonly string[]>>): string {
  const moves = Object.entries(transitions).flatMap(([from, targets]) => targets.map((to) => `('${from}', '${to}')`));
  return moves.join(", ");
}

function lifecycleTrigger(table: string, transitions: Readonly<Record<string, readonly string[]>>): string {
  return `CREATE TRIGGER ${table}_lifecycle BEFORE UPDATE OF state ON ${table} FOR EACH ROW
WHEN (old.state <> new.state AND (old.state::text, new.state::text) NOT IN (${allowedMoves(transitions)}))
EXECUTE FUNCTION onejob_refuse('OJ007', 'I7: the lifecycle has no such move in ${table}');`;
}

/** One statement for each table, as the migration holds them. */
export function lifecycleGuards(): { attempts: string; jobs: string } {
  return { attempts: lifecycleTrigger("attempts", attemptTransitions), jobs: lifecycleTrigger("jobs", jobTransitions) };
}
