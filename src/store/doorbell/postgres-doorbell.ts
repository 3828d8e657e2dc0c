/** The doorbell that needs nothing but the database: each writing statement carries its own NOTIFY, one connection listens. */
import type { Sql } from "../connect.ts";
import { listen } from "../listen.ts";
import type { Doorbell, DoorbellListener } from "./doorbell.ts";

export interface PostgresDoorbellOptions extends DoorbellListener {
  /** Where LISTEN connects: never through a pooler in transaction mode. */
  readonly url: string;
  readonly sql: Sql;
  readonly ownName: string;
}

export function openPostgresDoorbell({ sql, ...options }: PostgresDoorbellOptions): Doorbell {
  const listening = listen({
    ...options,
    notify: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`,
  });
  return {
    ready: listening.ready,
    notifyAs: options.ownName,
    // The statement has rung, with its commit.
    ring() {},
    unheard: () => listening.owe(),
    // What was carried out has rung.
    lost() {},
    async close(end) {
      await listening.close();
      await end();
    },
  };
}
