/** The doorbell that needs nothing but the database: each writing statement carries its own NOTIFY, one connection listens. */
import type { Sql } from "../connect.ts";
import { listen } from "../listen.ts";
import { endSessions, notify, progressChannel, writeNotification } from "../notify.ts";
import type { Doorbell, DoorbellListener } from "./doorbell.ts";
import { openProgressTeller } from "./tell-progress.ts";

export interface PostgresDoorbellOptions extends DoorbellListener {
  /** Where LISTEN connects: never through a pooler in transaction mode. */
  readonly url: string;
  readonly sql: Sql;
  readonly ownName: string;
}

export function openPostgresDoorbell({ sql, ...options }: PostgresDoorbellOptions): Doorbell {
  const listening = listen({
    ...options,
    notify: (channel, payload) => notify(sql, channel, payload),
    endSessions: (name) => endSessions(sql, name),
  });
  const progress = openProgressTeller(
    (jobIds) => notify(sql, progressChannel, writeNotification(options.ownName, jobIds)),
    (error) => {
      listening.owe();
      options.onError(error);
    },
  );
  return {
    ready: listening.ready,
    notifyAs: options.ownName,
    ring({ jobIds, isProgress }) {
      // But for progress, the statement has rung with its commit.
      if (isProgress) progress.tell(jobIds);
    },
    unheard: () => listening.owe(),
    // What was carried out has rung.
    lost() {},
    async close(end) {
      await progress.close();
      await listening.close();
      await end();
    },
  };
}
