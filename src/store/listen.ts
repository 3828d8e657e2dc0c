/**
 * The one LISTEN connection of a process: turns notifications of other processes into hints, proves by a heartbeat that it is
 * alive, and tells when some may have been lost. It reads no table.
 */
import postgres from "postgres";
import { changedChannel, gapChannel, progressChannel, queuedChannel, readNotification } from "./notify.ts";
import type { Hint } from "./store.ts";

/** By which its session is known in pg_stat_activity. */
export const listenerName = "onejob listen";

export interface Listener {
  /** Resolves once the first connection listens, or has failed: what is heard from then on is told, and what is not makes a gap. */
  readonly ready: Promise<void>;
  /** A notification of this process could not be sent: the others are told, with the next heartbeat, that they missed one. */
  owe(): void;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly url: string;
  /** The prefix of this process, whose own notifications are not heard: it knows already. */
  readonly ownName: string;
  /** Sends a notification over a connection that the process has anyway. */
  readonly notify: (channel: string, payload: string) => Promise<unknown>;
  readonly onHint: (hint: Hint) => void;
  /** Hints may have been lost, and are heard again from now on. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  /** How often the connection proves itself; after two silent intervals it is rebuilt. */
  readonly heartbeatMs?: number;
}

/**
 * A half-open connection never recovers by itself, so it sends itself a heartbeat; one that stays silent is torn down and
 * built anew. Hints lost meanwhile are made good by whoever polls the tables.
 */
export function listen(options: ListenOptions): Listener {
  const heartbeatMs = options.heartbeatMs ?? 5_000;
  const pulseChannel = `onejob_pulse_${options.ownName}`;
  let client: postgres.Sql | null = null;
  let heard = false;
  let closed = false;
  let owes = false;
  /** The connections that were opened so far: none has been heard before the first one. */
  let opened = 0;
  let timer: NodeJS.Timeout | undefined;

  const hear = (said: Omit<Hint, "jobIds">) => (payload: string) => {
    const { from, jobIds } = readNotification(payload);
    if (from !== options.ownName) options.onHint({ jobIds, ...said });
  };

  async function open(): Promise<void> {
    const fresh = postgres(options.url, {
      fetch_types: false,
      max: 1,
      connect_timeout: 10,
      onnotice: () => {},
      connection: { application_name: listenerName },
    });
    client = fresh;
    opened += 1;
    let isListening = false;
    await fresh.listen(changedChannel, hear({ queued: false }));
    await fresh.listen(queuedChannel, hear({ queued: true }));
    await fresh.listen(progressChannel, hear({ queued: false, isProgress: true }));
    await fresh.listen(gapChannel, (from) => {
      if (from !== options.ownName) options.onGap();
    });
    // The client listens anew by itself when its connection was cut, in this order: the last one says that all are back.
    const onListen = () => {
      if (isListening) options.onGap();
    };
    await fresh.listen(pulseChannel, () => void (heard = true), onListen);
    isListening = true;
    if (opened > 1) options.onGap();
  }

  async function beat(): Promise<void> {
    heard = false;
    if (owes) {
      await options.notify(gapChannel, options.ownName);
      owes = false;
    }
    await options.notify(pulseChannel, "");
  }

  async function rebuild(): Promise<void> {
    const stale = client;
    client = null;
    // Not awaited: ending a half-open connection may take as long as the network pleases.
    void stale?.end({ timeout: 0 }).catch(options.onError);
    await open();
  }

  function schedule(): void {
    if (closed) return;
    timer = setTimeout(() => {
      const step = heard ? beat() : rebuild().then(beat);
      step.catch(options.onError).finally(schedule);
    }, heartbeatMs);
    timer.unref();
  }

  const ready = open().catch(options.onError);
  void ready.then(beat).catch(options.onError).finally(schedule);

  return {
    ready,
    owe() {
      owes = true;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end({ timeout: 1 });
    },
  };
}
