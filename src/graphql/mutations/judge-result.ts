/** What is wrong with a result that somebody hands in: that it cannot be stored, or that the operation's output forbids it. */
import type { Json } from "../../domain/json.ts";
import { maxResultBytes } from "../../domain/outcome.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import type { RequestContext } from "../context.ts";
import { sizeIssues, unstorableIssues } from "./check-size.ts";

export function storageIssues(result: Json): InputIssue[] {
  const unstorable = unstorableIssues(result, maxResultBytes, "/result");
  return unstorable.length > 0 ? unstorable : sizeIssues(result, maxResultBytes, "/result");
}

/** The faults of the result by the job's operation as configured now; none where there is nothing to judge it by. */
export async function outputIssues(
  { store, catalog }: RequestContext,
  jobId: string,
  result: Json,
): Promise<InputIssue[]> {
  const [job] = await store.read.jobs([jobId], null);
  const operation = job && catalog.operations.get(job.operation);
  const faults = (await operation?.judgeOutput(result)) ?? [];
  return faults.map(({ path, message }) => ({ path: `/result${path}`, message }));
}
