/**
 * The ways of keeping owners apart that isolation.ts compares: the condition in the query alone, the same with PostgreSQL's
 * row-level security behind it, told the owner in the ways that there are, and functions as the only door. All send prepared
 * statements over one connection each, so that what is sent together travels together: the least that each way can cost.
 */
import { and, desc, eq, inArray } from "drizzle-orm";
import postgres from "postgres";
import { connect } from "../../src/store/connect.ts";
import type { PageRequest } from "../../src/store/pages.ts";
import { openReads } from "../../src/store/read/open-reads.ts";
import { toJob } from "../../src/store/rows.ts";
import { jobs } from "../../src/store/tables.ts";

type Rows = readonly { readonly owner: string }[];

export interface Way {
  readonly name: string;
  byIds(owner: string, ids: readonly string[]): Promise<Rows>;
  newest(owner: string): Promise<Rows>;
}

const pageSize = 20;
const page: PageRequest = { limit: pageSize, fromEnd: false, after: null, before: null, ascending: false };

/** A role that owns no table is subject to policies; of the functions, which may read all, each reads for one owner. */
export const preparation = `
  create role bench_reader login password 'bench';
  grant usage on schema public to bench_reader;
  grant select on jobs to bench_reader;
  alter table jobs enable row level security;
  create policy jobs_of_owner on jobs for select using (owner_id = current_setting('onejob.owner', true));
  create function bench_jobs(owner text, ids uuid[]) returns setof jobs language plpgsql stable security definer as $$
    begin return query select * from jobs j where j.id = any (ids) and j.owner_id = owner; end $$;
  create function bench_job_page(owner text, amount integer) returns setof jobs language plpgsql stable security definer as $$
    begin return query select * from jobs j where j.owner_id = owner order by j.created_at desc, j.id desc limit amount; end $$;`;

type Row = Readonly<Record<string, unknown>>;
type Query = postgres.PendingQuery<Row[]>;

function ownersOf(rows: readonly Row[]): Rows {
  return rows.map((row) => ({ owner: String(row["owner_id"]) }));
}

const jobsById = (sql: postgres.Sql, owner: string, ids: readonly string[]): Query =>
  sql`select * from jobs where id = any(${`{${ids.join()}}`}::uuid[]) and owner_id = ${owner}`;
const newestJobs = (sql: postgres.Sql, owner: string): Query =>
  sql`select * from jobs where owner_id = ${owner} order by created_at desc, id desc limit ${pageSize}`;

function wayOf(
  name: string,
  sql: postgres.Sql,
  send: (owner: string, query: Query) => Promise<readonly Row[]>,
  byIds = jobsById,
  newest = newestJobs,
): Way {
  return {
    name,
    byIds: async (owner, ids) => ownersOf(await send(owner, byIds(sql, owner, ids))),
    newest: async (owner) => ownersOf(await send(owner, newest(sql, owner))),
  };
}

export interface OpenedWays {
  /** The first is the measure of the others. */
  readonly inDatabase: readonly Way[];
  readonly inStore: readonly Way[];
  close(): Promise<void>;
}

export function openWays(url: string): OpenedWays {
  const readerUrl = new URL(url);
  readerUrl.username = "bench_reader";
  readerUrl.password = "bench";
  const open = (as: string) => postgres(as, { max: 1, fetch_types: false, onnotice: () => {} });
  const owning = open(url);
  const readers = Array.from({ length: 4 }, () => open(readerUrl.href));
  const [session, transaction, message, walled] = readers as [postgres.Sql, postgres.Sql, postgres.Sql, postgres.Sql];
  const set = (sql: postgres.Sql, owner: string, isLocal: boolean) =>
    sql`select set_config('onejob.owner', ${owner}, ${isLocal})`.execute();

  const inDatabase = [
    wayOf("the condition in the query (as now)", owning, (_, query) => query),
    wayOf("… and a policy, owner set in the session", session, async (owner, query) => {
      const [, rows] = await Promise.all([set(session, owner, false), query.execute()]);
      return rows;
    }),
    wayOf("… and a policy, owner set in a transaction", transaction, async (owner, query) => {
      const begin = transaction.unsafe("begin").execute();
      const told = set(transaction, owner, true);
      const rows = query.execute();
      const [, , answer] = await Promise.all([begin, told, rows, transaction.unsafe("commit").execute()]);
      return answer;
    }),
    // Several statements in one message are one transaction, but have neither parameters nor a kept plan.
    {
      name: "… and a policy, all in one message",
      byIds: (owner, ids) => inMessage(owner, `id = any('{${ids.join()}}'::uuid[]) and owner_id = '${owner}'`),
      newest: (owner) => inMessage(owner, `owner_id = '${owner}' order by created_at desc, id desc limit ${pageSize}`),
    } satisfies Way,
    wayOf(
      "through a function, given the owner",
      walled,
      (_, query) => query,
      (sql, owner, ids) => sql`select * from bench_jobs(${owner}, ${`{${ids.join()}}`}::uuid[])`,
      (sql, owner) => sql`select * from bench_job_page(${owner}, ${pageSize})`,
    ),
  ];
  async function inMessage(owner: string, where: string): Promise<Rows> {
    const text = `select set_config('onejob.owner', '${owner}', true); select * from jobs where ${where}`;
    const [, rows] = (await message.unsafe(text).simple()) as unknown as [unknown, Row[]];
    return ownersOf(rows);
  }

  const connections = connect({ url, poolSize: 1 });
  const { db } = connections;
  const reads = openReads(connections);
  const plainJobs = () => db.select().from(jobs);
  const owners = (rows: readonly { readonly ownerId: string }[]): Rows =>
    rows.map(({ ownerId }) => ({ owner: ownerId }));
  const ownersOfRows = (rows: readonly (typeof jobs.$inferSelect)[]): Rows => owners(rows.map(toJob));
  const inStore: Way[] = [
    {
      name: "its query",
      byIds: async (owner, ids) =>
        ownersOfRows(await plainJobs().where(and(inArray(jobs.id, [...ids]), eq(jobs.ownerId, owner)))),
      newest: async (owner) =>
        ownersOfRows(
          await plainJobs()
            .where(eq(jobs.ownerId, owner))
            .orderBy(desc(jobs.createdAt), desc(jobs.id))
            .limit(pageSize + 1),
        ).slice(0, pageSize),
    },
    {
      name: "… and each row looked at once more",
      byIds: async (owner, ids) => owners(await reads.jobs(ids, owner)),
      newest: async (owner) => owners((await reads.jobPage({ ownerId: owner }, page)).rows),
    },
  ];
  return {
    inDatabase,
    inStore,
    async close() {
      await Promise.all([connections.close(), owning.end(), ...readers.map((reader) => reader.end())]);
    },
  };
}
