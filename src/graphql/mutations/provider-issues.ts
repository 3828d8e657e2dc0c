/** What retryJob says of a provider that cannot be had. To a token for one job it lists none: which there are is not the job's matter. */
import type { InputIssue } from "../../domain/refusal.ts";
import { termsFor } from "../../domain/terms.ts";
import { decodeId } from "../../store/ids.ts";
import { maySeeConfiguration } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { listed, quoted } from "../wording.ts";

interface Input {
  readonly jobId: string;
  readonly provider?: string | null | undefined;
}

/** Of the named provider, before the verb is asked. */
export async function providerIssues(input: Input, context: RequestContext): Promise<InputIssue[]> {
  const { catalog, viewer } = context;
  const { provider } = input;
  if (typeof provider !== "string") return [];
  if (!maySeeConfiguration(viewer)) return offerIssues(input.jobId, provider, context);
  if (catalog.providers.has(provider)) return [];
  const message = `There is no provider ${quoted(provider)}. Known ones: ${listed(catalog.providers.keys())}.`;
  return [{ path: "/provider", message }];
}

/** One that does not offer the job's operation is to a job token like one that does not exist. A job's operation never changes. */
async function offerIssues(id: string, provider: string, { catalog, loaders }: RequestContext): Promise<InputIssue[]> {
  const jobId = decodeId("job", id);
  const job = jobId === null ? null : await loaders.visibleJob.load(jobId);
  // That the job is not there, the verb says.
  if (job === null || termsFor(catalog, job.operation, provider) !== null) return [];
  const message = `The job's operation is not offered on a provider ${quoted(provider)}: leave it out to stay with the last attempt's.`;
  return [{ path: "/provider", message }];
}

/** Names what the configuration lacks. The provider is the caller's fault only if the caller named it. */
export function droppedIssue(
  dropped: { readonly operation: string; readonly provider: string },
  input: Input,
  { catalog, viewer }: RequestContext,
): InputIssue {
  const operation = catalog.operations.get(dropped.operation);
  if (operation === undefined) {
    return {
      path: "/jobId",
      message: `The configuration no longer has the job's operation ${quoted(dropped.operation)}: nothing can be started.`,
    };
  }
  const others = maySeeConfiguration(viewer) ? ` Those that do: ${listed(operation.providers)}.` : "";
  const message = `The configuration does not offer ${quoted(operation.name)} on the provider ${quoted(dropped.provider)}.${others}`;
  return { path: typeof input.provider === "string" ? "/provider" : "/jobId", message };
}
