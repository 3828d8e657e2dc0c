/** Where workers ask for attempts, and wait for them where they want to. It carries nothing out and knows no provider. */

import type { Store } from "../store/store.ts";
import type { ClaimAttempts } from "../store/worker-commands.ts";
import type { Log } from "./log.ts";
import { startLoop } from "./loop.ts";
import type { ClaimDesk } from "./ports.ts";
import { WaitingLine } from "./waiting-line.ts";

export interface OpenClaimDesk extends ClaimDesk {
  /** Claims that wait at this moment. */
  waitingCount(): number;
  /** Ends every wait with the empty answer; claims are still answered, but nobody waits any more. */
  stop(): Promise<void>;
}

export interface ClaimDeskOptions {
  readonly store: Store;
  readonly log: Log;
  /** For attempts that come due, and for hints that were lost. */
  readonly pollMs?: number;
}

/** Those who want the same stand in one line. A limit is no reason to part them: they compete for the same attempts. */
function lineOf({ providers, operations }: ClaimAttempts): string {
  return JSON.stringify([providers.toSorted(), operations === null ? null : operations.toSorted()]);
}

export function openClaimDesk({ store, log, pollMs = 1_000 }: ClaimDeskOptions): OpenClaimDesk {
  const lines = new Map<string, { readonly line: WaitingLine; readonly isLimited: boolean }>();
  let isOpen = true;
  let hints = 0;

  function wakeAll(): void {
    for (const { line } of lines.values()) line.wake();
  }

  const unsubscribe = store.onHint((hint) => {
    if (hint.isProgress) return;
    hints += 1;
    if (hint.queued) return wakeAll();
    // What has changed may be an attempt that ended, and so made room within its provider's limit.
    for (const { line, isLimited } of lines.values()) if (isLimited) line.wake();
  });
  const polling = startLoop({
    step: async () => wakeAll(),
    intervalMs: pollMs,
    onError: (error) => log.error("claim-poll-failed", { error }),
  });

  return {
    async claim(command, waitMs, signal) {
      const hintsBefore = hints;
      const claims = await store.claimAttempts(command);
      if (claims.length > 0 || waitMs <= 0 || signal?.aborted || !isOpen) return claims;
      const name = lineOf(command);
      const isLimited = (command.limits ?? []).some(({ maxRunning }) => maxRunning !== null);
      const { line } = lines.get(name) ?? { line: new WaitingLine((asked) => store.claimAttempts(asked)) };
      lines.set(name, { line, isLimited });
      const waited = line.join(command, waitMs, signal);
      // What was queued between the look and the waiting would otherwise be seen at the next poll only.
      if (hints !== hintsBefore) line.wake();
      try {
        return await waited;
      } finally {
        if (line.length === 0 && lines.get(name)?.line === line) lines.delete(name);
      }
    },
    waitingCount() {
      return [...lines.values()].reduce((sum, { line }) => sum + line.length, 0);
    },
    async stop() {
      unsubscribe();
      isOpen = false;
      for (const { line } of lines.values()) line.disperse();
      await polling.stop();
    },
  };
}
