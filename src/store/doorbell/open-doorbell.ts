/** Opens the doorbell that the options name, and warns where another process on the database goes by the other one. */
import type { Sql } from "../connect.ts";
import { newId } from "../ids.ts";
import { listenerName } from "../listen.ts";
import { type Doorbell, DoorbellError, type DoorbellListener } from "./doorbell.ts";
import { nameChannel } from "./name-channel.ts";
import { openPostgresDoorbell } from "./postgres-doorbell.ts";
import { openRedisDoorbell } from "./redis-doorbell.ts";

export interface DoorbellOptions extends DoorbellListener {
  readonly sql: Sql;
  readonly listenUrl: string;
  readonly redisUrl?: string;
}

const withRedis = "onejob redis";

/** The name by which a process's sessions show which doorbell it goes by. */
export function sessionName({ redisUrl }: { readonly redisUrl?: string }): string {
  return redisUrl === undefined ? "onejob" : withRedis;
}

/** Resolves once the doorbell hears, or has failed to for now. */
export async function openDoorbell({ listenUrl, redisUrl, ...options }: DoorbellOptions): Promise<Doorbell> {
  // The last part of a fresh UUID: random, and enough to tell the processes on one database apart.
  const own = { ...options, ownName: newId().slice(-12) };
  const doorbell =
    redisUrl === undefined
      ? openPostgresDoorbell({ ...own, url: listenUrl })
      : openRedisDoorbell({ ...own, url: redisUrl, channel: await nameChannel(options.sql) });
  await doorbell.ready;
  await warnOfOthers(options, redisUrl === undefined ? withRedis : listenerName).catch(options.onError);
  return doorbell;
}

/** Whoever comes later sees who is there: its own sessions are open by now. */
async function warnOfOthers({ sql, onError }: Pick<DoorbellOptions, "sql" | "onError">, name: string): Promise<void> {
  const [row] = await sql`
    select 1 from pg_stat_activity where datname = current_database() and starts_with(application_name, ${name}) limit 1`;
  if (row === undefined) return;
  const [others, this_] = name === withRedis ? ["Redis", "PostgreSQL"] : ["PostgreSQL", "Redis"];
  onError(
    new DoorbellError(
      `Another server on this database tells of commits by ${others}, this one by ${this_}, so they do not hear each other: give all of them the same live.redisUrl.`,
    ),
  );
}
