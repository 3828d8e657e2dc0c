/**
 * Reads how far the logs of jobs have come, for all who start to follow one at the same moment in one statement: a server
 * that comes back has them all at once. Each caller's scope is in the query (I11), and of-owner.ts looks once more.
 */
import { Batcher } from "../batcher.ts";
import type { Scope } from "../commands.ts";
import type { Sql } from "../connect.ts";
import { ofOwner } from "./of-owner.ts";

interface Wanted {
  readonly jobId: string;
  readonly scope: Scope;
}

interface Row {
  readonly ord: number;
  readonly ownerId: string;
  readonly eventCount: number;
}

const maxSize = 500;
/** One that is under way makes the next one larger, hence cheaper; with two, the database need not wait for this process. */
const maxInFlight = 2;

async function read(sql: Sql, wanted: readonly Wanted[]): Promise<ReadonlyMap<number, Row>> {
  const rows = await sql<Row[]>`
    select w.ord::int, j.owner_id, j.event_count
    from unnest(${wanted.map((one) => one.jobId)}::uuid[], ${wanted.map((one) => one.scope)}::text[])
      with ordinality as w(job_id, owner_id, ord)
    join jobs j on j.id = w.job_id and (w.owner_id is null or j.owner_id = w.owner_id)`;
  return new Map(rows.map((row) => [row.ord, row]));
}

export function newestEventNumbers(sql: Sql): (wanted: Wanted) => Promise<number | null> {
  const batcher = new Batcher<Wanted, number | null>({
    maxSize,
    maxInFlight,
    keyOf: () => null,
    async run(wanted, settle) {
      const rows = await read(sql, wanted);
      for (const [index, { scope }] of wanted.entries()) {
        const row = rows.get(index + 1);
        try {
          const [own] = row === undefined ? [] : ofOwner(scope, [row]);
          settle(index, { answer: own?.eventCount ?? null });
        } catch (error) {
          settle(index, { error });
        }
      }
    },
  });
  return (wanted) => batcher.ask(wanted);
}
