/** Tokens for one job, as an owner's backend asks for them. It signs none itself. */
import type { Fields } from "./api-client.ts";
import type { Bearer } from "./api-config.ts";
import type { ApiServer } from "./api-server.ts";

export interface Minted extends Bearer {
  readonly expiresAt: string;
}

/** Asked for by ann; throws where the server refuses. */
export async function mint(server: ApiServer, jobId: string, more: Fields = {}): Promise<Minted> {
  const answer = await server.ann.send("create-job-token", { jobId, ...more });
  if (answer.token === undefined || answer.expiresAt === undefined)
    throw new Error(`createJobToken was refused: ${JSON.stringify(answer)}`);
  return { token: answer.token, expiresAt: answer.expiresAt };
}

export const everyRight = { mayRetry: true, mayCancel: true };
