/**
 * The doorbell for large fleets: hints travel by Redis pub/sub, after the commit, so that no statement carries a NOTIFY and no
 * connection listens. Nothing ever waits for Redis, and what it loses is told as a gap. It keeps nothing there.
 */
import type { Hint } from "../store.ts";
import { type Doorbell, DoorbellError, type DoorbellListener } from "./doorbell.ts";
import { hintOf, idsAtOnce, isHint, kindOf, type MessageKind, readMessage, writeMessage } from "./message.ts";
import { openRedisLine, type RedisLine } from "./redis-line.ts";
import { Roll } from "./roll.ts";

export interface RedisDoorbellOptions extends DoorbellListener {
  readonly url: string;
  /** The same for every process on the database, and for no other database's. */
  readonly channel: string;
  /** Twelve hexadecimal digits of this process's own, new at each start. */
  readonly ownName: string;
}

/** What a connection may take to open, which a start waits for, and the last word to be sent. */
const patienceMs = 3_000;
const lastWordMs = 500;
const firstRetryMs = 50;
/** Many may call at once, as after a restart of Redis: one beat answers all of them. */
const answerAfterMs = 50;

export function openRedisDoorbell(options: RedisDoorbellOptions): Doorbell {
  const { ownName, onGap, heartbeatMs = 5_000 } = options;
  const { host } = new URL(options.url);
  const roll = new Roll();
  /** Faults of this outage that were told already. */
  const told = new Set<string>();
  const closing = new AbortController();
  let line: RedisLine | null = null;
  /** The number of the last hint. */
  let number = 0;
  /** A commit has not been told of. */
  let owes = false;
  /** Whether something of its own has come back since the last beat. */
  let isProven = false;
  /** Opened, or tried to be: before the first time there was nothing to hear. */
  let tries = 0;
  let retryMs = firstRetryMs;
  const timers = new Map<() => void, NodeJS.Timeout>();

  /** Not again for what is waited for already. */
  function after(ms: number, act: () => void): void {
    if (closing.signal.aborted || timers.has(act)) return;
    const fire = (): void => {
      timers.delete(act);
      act();
    };
    timers.set(act, setTimeout(fire, ms).unref());
  }

  function report(error: unknown): void {
    const { code, message = String(error) } = (error ?? {}) as { code?: string; message?: string };
    const why = code ?? message;
    if (closing.signal.aborted || told.has(why)) return;
    told.add(why);
    const text = `Servers do not hear of each other's commits by Redis at ${host}, and poll: ${why}`;
    options.onError(new DoorbellError(text, { cause: error }));
  }

  function send(kind: MessageKind, jobIds: readonly string[] = []): Promise<unknown> {
    const owed = isHint(kind) || kind === "gap";
    if (line === null) {
      owes ||= owed;
      return Promise.resolve();
    }
    if (isHint(kind)) number += 1;
    const used = line;
    return used.publish(writeMessage({ kind, from: ownName, number, jobIds })).catch((error: unknown) => {
      owes ||= owed;
      // What was under way as the line broke says nothing of why.
      if (used === line) report(error);
    });
  }

  function hear(text: string): void {
    const message = readMessage(text);
    if (message === null) return;
    const { kind, from, jobIds } = message;
    if (from === ownName) {
      isProven = true;
      retryMs = firstRetryMs;
      told.clear();
      return;
    }
    if (roll.hear(message)) onGap();
    if (isHint(kind)) options.onHint(hintOf(kind, jobIds));
    if (kind === "call") after(answerAfterMs, answer);
  }

  function answer(): void {
    void send("beat");
  }

  async function open(): Promise<void> {
    tries += 1;
    const { signal } = closing;
    const fresh = await openRedisLine({ ...options, patienceMs, signal, onMessage: hear, onEnd: drop });
    if (signal.aborted) return fresh.cut();
    line = fresh;
    isProven = true;
    roll.restart();
    if (tries > 1) onGap();
    void tellOwed();
    void send("call");
  }

  function retry(): void {
    open().catch((error: unknown) => drop(error));
  }

  function drop(error: unknown): void {
    line = null;
    report(error);
    after(retryMs, retry);
    // Each server at its own pace, so that they do not all come at once.
    retryMs = Math.min(heartbeatMs, retryMs * (1.5 + Number.parseInt(ownName.slice(-2), 16) / 256));
  }

  async function tellOwed(): Promise<void> {
    if (!owes) return;
    owes = false;
    await send("gap");
  }

  function beat(): void {
    after(heartbeatMs, beat);
    // Deaf: whoever has only hints to go by may be missing something at any time.
    if (line === null) return onGap();
    if (!isProven) {
      line.cut();
      return drop(new Error(`silent for ${heartbeatMs} ms`));
    }
    isProven = false;
    if (roll.pass()) onGap();
    void tellOwed();
    void send("beat");
  }

  after(heartbeatMs, beat);
  return {
    ready: open().catch((error: unknown) => drop(error)),
    notifyAs: null,
    ring(hint: Hint) {
      const kind = kindOf(hint);
      const { jobIds } = hint;
      void send(kind, jobIds.slice(0, idsAtOnce));
      for (let from = idsAtOnce; from < jobIds.length; from += idsAtOnce) {
        void send(kind, jobIds.slice(from, from + idsAtOnce));
      }
    },
    unheard() {},
    lost() {
      owes = true;
    },
    async close(end) {
      closing.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await end();
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastWordMs)));
      await Promise.race([tellOwed().then(() => send("bye")), enough]);
      clearTimeout(timer);
      line?.cut();
      line = null;
    },
  };
}
