/**
 * Tells a provider, best effort, that an attempt on it was cancelled: the call that runs here is aborted, and the provider's
 * own `cancel` is asked. It changes no row: the cancellation has committed before.
 */
import type { Catalog } from "../domain/operation.ts";
import { providerIdempotencyKey } from "../domain/provider-key.ts";
import { encodeId } from "../store/ids.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "./log.ts";
import { askProvider } from "./provider-fault.ts";

export interface CancelAtProviderOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly log: Log;
  /** Aborts the call where this process carries the attempt out. */
  readonly abortHere: (attemptId: string) => void;
  /** What a provider gets to take the cancellation. */
  readonly patienceMs?: number;
}

export function cancellerOf(options: CancelAtProviderOptions): (attemptId: string) => void {
  const { store, catalog, log, abortHere, patienceMs = 10_000 } = options;

  async function ask(attemptId: string): Promise<void> {
    const [attempt] = await store.read.attempts([attemptId], null);
    const provider = attempt === undefined ? undefined : catalog.providers.get(attempt.provider);
    // Before a worker had it, nothing was sent.
    if (attempt === undefined || attempt.startedAt === null || provider?.cancel === undefined) return;
    const jobId = encodeId("job", attempt.jobId);
    const call = {
      jobId,
      attemptId: encodeId("att", attemptId),
      providerRequestId: attempt.providerRequestId,
      idempotencyKey: providerIdempotencyKey(jobId, provider.name),
      signal: AbortSignal.timeout(patienceMs),
    };
    await askProvider(() => provider.cancel?.(call));
  }

  return (attemptId) => {
    abortHere(attemptId);
    ask(attemptId).catch((error: unknown) =>
      log.warn("cancel-at-provider-failed", { attemptId: encodeId("att", attemptId), error }),
    );
  };
}
