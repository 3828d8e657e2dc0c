/**
 * How a statement records the act of an operator in audit_log together with the act itself. The job's events tell what
 * happened to the job; this log tells what operators did, whatever it was done to.
 */
import type { Actor } from "../../domain/event.ts";
import type { Json } from "../../domain/json.ts";
import type { Sql } from "../connect.ts";
import { newId } from "../ids.ts";

export interface Act {
  readonly actor: Actor;
  /** The mutation's name. */
  readonly action: string;
  /** The target's id as the API shows it; null for an act on many. */
  readonly target: string | null;
  readonly reason: string | null;
  readonly detail?: Json;
}

/** The entry as JSON, for the statement to carry along; null for whoever does not act as an operator. */
export function entryOf({ actor, action, target, reason, detail = null }: Act): string | null {
  if (actor.cause !== "OPERATOR") return null;
  return JSON.stringify({ id: newId(), actor: actor.name ?? "", action, target, reason, detail });
}

/** The CTE that writes an entry for each row of `source` whose column `entry` holds one, at the instant of its column `now`. */
export function audited(sql: Sql, source: string) {
  return sql`audited as (
    insert into audit_log (id, at, actor, action, target_id, reason, detail)
    select (s.entry->>'id')::uuid, s.now, s.entry->>'actor', s.entry->>'action', s.entry->>'target', s.entry->>'reason',
      nullif(s.entry->'detail', 'null'::jsonb)
    from ${sql(source)} s where s.entry is not null
  )`;
}
