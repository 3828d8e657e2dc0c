/**
 * The one LISTEN connection of a process: turns notifications of other processes into hints, proves by a heartbeat that it is
 * alive, opens another when it is not, and tells when some may have been lost. It reads no table.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Line, noAnswer, openLine } from "./listening-line.ts";
import { changedChannel, gapChannel, progressChannel, queuedChannel, readNotification } from "./notify.ts";
import type { Hint } from "./store.ts";

/** With a process's own name behind it, its session is known by this in pg_stat_activity. */
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
  /** Ends the database's side of connections by this name that have fallen silent: nobody else would tell it. */
  readonly endSessions: (name: string) => Promise<unknown>;
  readonly onHint: (hint: Hint) => void;
  /** Hints may have been lost, or may be lost at this time. Told once for each heartbeat that nothing was heard of, and when all is well again. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  /** How often the connection proves itself; after a silent interval another one is opened, which may take two. */
  readonly heartbeatMs?: number;
}

const firstPauseMs = 50;

/**
 * A half-open connection never recovers by itself, so it is sent a heartbeat by way of the database; one that stays silent is
 * torn down. Hints lost meanwhile are made good by whoever polls the tables.
 */
export function listen(options: ListenOptions): Listener {
  const heartbeatMs = options.heartbeatMs ?? 5_000;
  const name = `${listenerName} ${options.ownName}`;
  const pulseChannel = `onejob_pulse_${options.ownName}`;
  const closing = new AbortController();
  const { signal } = closing;
  let line: Line | null = null;
  /** The line that was there when the last heartbeat went out, once it did. */
  let asked: Line | null = null;
  let silent: Line | null = null;
  let isSending = false;
  let heard = false;
  let owes = false;
  let toldOfStrangers = false;

  /** Whatever comes is a proof of life. */
  const hearing = (hear: (payload: string) => void) => (payload: string) => {
    heard = true;
    hear(payload);
  };
  const hint = (said: Omit<Hint, "jobIds">) => (payload: string) => {
    const read = readNotification(payload);
    if (read === null) tellOfStrangers();
    else if (read.from !== options.ownName) options.onHint({ jobIds: read.jobIds, ...said });
  };
  const channels = {
    [changedChannel]: hearing(hint({ queued: false })),
    [queuedChannel]: hearing(hint({ queued: true })),
    [progressChannel]: hearing(hint({ queued: false, isProgress: true })),
    [gapChannel]: hearing((from) => {
      if (from !== options.ownName) options.onGap();
    }),
    [pulseChannel]: hearing(() => {}),
  };

  function tellOfStrangers(): void {
    if (toldOfStrangers) return;
    toldOfStrangers = true;
    options.onError(new Error("Notifications that Onejob never sent come on its channels, and are ignored."));
  }

  /** Where the last one has not gone out yet, the database has enough to do. */
  async function beat(): Promise<void> {
    if (isSending) return;
    isSending = true;
    const present = line;
    try {
      if (owes) {
        await options.notify(gapChannel, options.ownName);
        owes = false;
      }
      await options.notify(pulseChannel, "");
      asked = present;
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    } finally {
      isSending = false;
    }
  }

  function judge(): void {
    if (signal.aborted) return;
    if (!heard) options.onGap();
    // It has just been asked, and has not answered.
    if (!heard && asked !== null && asked === line) {
      silent = line;
      line.cut();
    }
    heard = false;
    asked = null;
    void beat();
  }

  /** Until the time is over, or the listener closes. */
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => {});

  /** Before the next one is opened, or it would be ended as well; but not for longer than the database is worth waiting for. */
  async function endSessions(): Promise<void> {
    const ended = options.endSessions(name).catch(options.onError);
    await Promise.race([ended, rest(heartbeatMs)]);
  }

  /** One line after the other, and never two. */
  async function keepOne(tried: () => void): Promise<void> {
    let failures = 0;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        line = await openLine({ url: options.url, name, channels, openWithinMs: 2 * heartbeatMs, signal });
        failures = 0;
        tried();
        if (!isFirst) options.onGap();
        heard = false;
        timer.refresh();
        void beat();
        await line.gone;
        if (signal.aborted) break;
        options.onError(new Error(`The listening connection ${silent === line ? "has fallen silent" : "was cut"}.`));
        if (silent === line) await endSessions();
      } catch (error) {
        failures += 1;
        if (!signal.aborted) options.onError(error);
        if ((error as { code?: string }).code === noAnswer) await endSessions();
      }
      line = null;
      tried();
      const waitMs = Math.min(heartbeatMs, firstPauseMs * 2 ** failures);
      await rest(waitMs);
    }
  }

  // What came while the process was busy is read first: it may be the answer.
  const timer = setInterval(() => setImmediate(judge), heartbeatMs).unref();
  let ended = Promise.resolve();
  const ready = new Promise<void>((tried) => {
    ended = keepOne(tried);
  });

  return {
    ready,
    owe() {
      owes = true;
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      line?.cut();
      await ended;
    },
  };
}
