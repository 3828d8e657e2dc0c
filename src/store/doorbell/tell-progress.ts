/**
 * Notifies other processes of progress, behind the statements that wrote it and for many of them at once. PostgreSQL commits
 * what notifies one after the other, each waiting for the disk; a notification that writes nothing does not wait for it. One
 * that is lost on the way is made good by whoever polls.
 */
import { maxBatchSize } from "../notify.ts";

export interface ProgressTeller {
  tell(jobIds: readonly string[]): void;
  /** Resolves when nothing is under way; nothing more is sent. */
  close(): Promise<void>;
}

/** Where `send` fails, whoever was to hear of it must be told of a gap: `onError` sees to that. `send` carries at most a batch's ids. While it is under way, the next ones gather. */
export function openProgressTeller(
  send: (jobIds: readonly string[]) => Promise<unknown>,
  onError: (error: unknown) => void,
): ProgressTeller {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const jobIds = [...waiting].slice(0, maxBatchSize);
      for (const jobId of jobIds) waiting.delete(jobId);
      await send(jobIds).catch(onError);
    }
    sending = null;
  }

  return {
    tell(jobIds) {
      for (const jobId of jobIds) waiting.add(jobId);
      sending ??= waiting.size > 0 ? sendAll() : null;
    },
    async close() {
      await sending;
    },
  };
}
