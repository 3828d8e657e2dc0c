/** What every mutation has in common: it acts first, and what its answer shows is read afterwards. */
import type { RequestContext } from "../context.ts";
import { renewLoaders } from "../renew-loaders.ts";

/** Carries the verb out, then forgets what was read before: the answer's job is the job after the write. */
export async function answerAfter<Answer>(context: RequestContext, verb: Promise<Answer>): Promise<Answer> {
  const answer = await verb;
  renewLoaders(context);
  return answer;
}
