/** A worker over the API that carries jobs round and round: it claims, reports them running, fails, and the next try waits at once. Each is a change. */

import { providers } from "./bench-config.ts";
import { callApi } from "./call-api.ts";
import { pace } from "./pace.ts";

interface Claim {
  readonly attempt: { readonly id: string };
  readonly leaseToken: string;
}

const claim = `mutation ($input: ClaimAttemptsInput!) { claimAttempts(input: $input) { __typename ... on ClaimAttemptsSuccess { claims { attempt { id } leaseToken } } } }`;
const running = `mutation ($input: MarkAttemptRunningInput!) { markAttemptRunning(input: $input) { __typename } }`;
const failing = `mutation ($input: FailAttemptInput!) { failAttempt(input: $input) { __typename } }`;

const claimedAtOnce = 10;
/** Each claimed attempt is three changes: claimed, running, failed. */
const turnsOfClaim = 3 * claimedAtOnce;

/** Changes jobs so often a second until the signal is aborted. Resolves with the number of changes. */
export async function workJobs(url: string, changesPerSecond: number, signal: AbortSignal): Promise<number> {
  let turn = 0;
  let changes = 0;
  const startable: Claim[] = [];
  const failable: Claim[] = [];
  const about = ({ attempt, leaseToken }: Claim) => ({ attemptId: attempt.id, leaseToken });

  /** Of thirty turns the first changes ten jobs by its claim, the next twenty change one each, and the others rest. */
  const act = async (): Promise<void> => {
    turn += 1;
    if (turn % turnsOfClaim === 1) {
      const input = { workerId: "worker-1", providers: [providers.worked], limit: claimedAtOnce };
      const { claims } = await callApi<{ claims: readonly Claim[] }>(url, claim, { input }, "ClaimAttemptsSuccess");
      startable.push(...claims);
      changes += claims.length;
      return;
    }
    const [started] = startable.splice(0, 1);
    if (started !== undefined) {
      await callApi(url, running, { input: about(started) }, "MarkAttemptRunningSuccess");
      failable.push(started);
      changes += 1;
      return;
    }
    const [failed] = failable.splice(0, 1);
    if (failed === undefined) return;
    const input = { ...about(failed), certainty: "DEFINITE", code: "JAMMED", message: "Paper jam." };
    await callApi(url, failing, { input }, "FailAttemptSuccess");
    changes += 1;
  };
  await pace(changesPerSecond, signal, act);
  return changes;
}
