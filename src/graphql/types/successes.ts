/** What most answers of mutations show: the job, the attempt, or both. Which ones, the verb said by their ids. */
import type { Provider } from "../../domain/operation.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { loadAttempt, loadJob } from "../load.ts";
import type { AboutAttempt, Member } from "../refusals.ts";
import { AttemptRef, JobRef, ProviderRef } from "./refs.ts";

export function jobOf({ jobId }: { readonly jobId: string }, _arguments: object, context: RequestContext) {
  return loadJob(context, jobId);
}

export function attemptOf({ attemptId }: { readonly attemptId: string }, _arguments: object, context: RequestContext) {
  return loadAttempt(context, attemptId);
}

/** `XSuccess` with the job and the attempt that the verb was about. */
export function jobAndAttempt<Name extends string>(name: Name, description?: string) {
  return builder.objectRef<Member<Name, AboutAttempt>>(name).implement({
    ...(description !== undefined && { description }),
    fields: (t) => ({
      job: t.field({ type: JobRef, resolve: jobOf }),
      attempt: t.field({ type: AttemptRef, resolve: attemptOf }),
    }),
  });
}

/** `XSuccess` with the provider as it is now. */
export function withProvider<Name extends string>(name: Name) {
  return builder.objectRef<Member<Name, { readonly provider: Provider }>>(name).implement({
    fields: (t) => ({ provider: t.field({ type: ProviderRef, resolve: ({ provider }) => provider }) }),
  });
}
