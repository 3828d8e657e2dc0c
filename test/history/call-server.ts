/** Sends one call to a server over HTTP and puts its answer into the words of a history. It never sends anything twice. */
import type { Answer, Call } from "./operation.ts";

export interface Tokens {
  readonly owner: string;
  readonly worker: string;
  readonly operator: string;
}

/** What a client goes on with, learned from answers beside what they say about the register. */
export interface Learned {
  readonly jobs: readonly { readonly id: string; readonly latest: string }[];
  readonly claims: readonly Claimed[];
}

export interface Claimed {
  readonly job: string;
  readonly attempt: string;
  readonly token: string;
}

/** A claim is not about a register: it is sent so that there is something to complete. */
export type Sent = (Call & { readonly token?: string }) | { readonly kind: "claim"; readonly claimKey: string };

export type Outcome =
  | { readonly kind: "answered"; readonly answer: Answer; readonly learned: Learned }
  /** No connection was made, so the call cannot have had an effect. */
  | { readonly kind: "notSent" }
  /** Cut, timed out, or answered with an error: nobody can tell what became of it. */
  | { readonly kind: "unanswered" };

interface Member {
  readonly __typename: string;
  readonly created?: boolean;
  readonly job?: View | null;
  readonly existingJob?: View;
  readonly attempt?: { readonly id: string };
  readonly latestAttempt?: { readonly id: string };
  readonly winner?: { readonly id: string } | null;
  readonly claims?: readonly { readonly leaseToken: string; readonly attempt: { id: string; job: { id: string } } }[];
}

interface View {
  readonly id: string;
  readonly state: string;
  readonly input: { readonly text?: string } | null;
  readonly result: string | null;
  readonly winner: { readonly id: string } | null;
  readonly latestAttempt: { readonly id: string };
}

const seen = "id state input result winner { id } latestAttempt { id }";
const mutation = (field: string, members: string) =>
  `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { answer: ${field}(input: $input) { __typename ${members} } }`;

const documents = {
  create: mutation(
    "createJob",
    `... on CreateJobSuccess { created job { ${seen} } } ... on IdempotencyConflict { existingJob { ${seen} } }`,
  ),
  claim: mutation("claimAttempts", "... on ClaimAttemptsSuccess { claims { leaseToken attempt { id job { id } } } }"),
  complete: mutation("completeAttempt", "... on ResultDiscarded { winner { id } }"),
  cancelAttempt: mutation("cancelAttempt", ""),
  cancelJob: mutation("cancelJob", ""),
  retry: mutation(
    "retryJob",
    `... on RetryJobSuccess { attempt { id } } ... on AttemptInFlight { attempt { id } } ... on RetryOutdated { latestAttempt { id } }`,
  ),
  readKey: `query ($key: String!) { answer: jobByKey(idempotencyKey: $key) { __typename ${seen} } }`,
  readJob: `query ($job: ID!) { answer: job(id: $job) { __typename ${seen} } }`,
} as const satisfies Record<Sent["kind"], string>;

function requestOf(sent: Sent, tokens: Tokens): readonly [token: string, variables: unknown] {
  switch (sent.kind) {
    case "create":
      return [tokens.owner, { input: { idempotencyKey: sent.key, operation: "any", input: { text: sent.intent } } }];
    case "readKey":
      return [tokens.owner, { key: sent.key }];
    case "readJob":
      return [tokens.owner, { job: sent.job }];
    case "cancelJob":
      return [tokens.owner, { input: { jobId: sent.job } }];
    case "retry":
      return [tokens.owner, { input: { jobId: sent.job, afterAttemptId: sent.after } }];
    case "cancelAttempt":
      return [tokens.operator, { input: { attemptId: sent.attempt, reason: "history" } }];
    case "complete":
      return [tokens.worker, { input: { attemptId: sent.attempt, leaseToken: sent.token, result: sent.result } }];
    case "claim": {
      const { claimKey } = sent;
      return [tokens.worker, { input: { workerId: "history", providers: ["inkjet"], limit: 20, claimKey } }];
    }
  }
}

function wordMutation(kind: Sent["kind"], member: Member): Answer {
  switch (member.__typename) {
    case "CreateJobSuccess":
      return { kind: member.created ? "created" : "same", job: member.job?.id ?? "" };
    case "IdempotencyConflict":
      return { kind: "conflict", job: member.existingJob?.id ?? "" };
    case "CompleteAttemptSuccess":
      return { kind: "won" };
    case "ResultDiscarded":
      return { kind: "discarded", winner: member.winner?.id ?? null };
    case "CancelAttemptSuccess":
    case "CancelJobSuccess":
      return { kind: "cancelled" };
    case "JobClosed":
    case "AttemptClosed":
      return { kind: "closed" };
    case "RetryJobSuccess":
      return { kind: "started", attempt: member.attempt?.id ?? "" };
    case "AttemptInFlight":
      return { kind: "inFlight", attempt: member.attempt?.id ?? "" };
    case "RetryOutdated":
      return { kind: "outdated", attempt: member.latestAttempt?.id ?? "" };
    default:
      return { kind: "other", text: `${kind}: ${member.__typename}` };
  }
}

function word(kind: Sent["kind"], found: Member | View | null): Answer {
  const view = found as View | null;
  if (kind === "readKey") return { kind: "key", job: view?.id ?? null, intent: view?.input?.text ?? null };
  if (found === null) return { kind: "other", text: `${kind}: nothing` };
  if (kind !== "readJob") return wordMutation(kind, found as Member);
  const { state, winner, result, latestAttempt } = found as View;
  return { kind: "job", state, winner: winner?.id ?? null, result, latest: latestAttempt.id };
}

function learn(found: Member | View | null): Learned {
  const member = found as (Member & Partial<View>) | null;
  const view = member?.job ?? member?.existingJob ?? (member?.latestAttempt && member.id ? (member as View) : null);
  const claims = member?.claims ?? [];
  return {
    jobs: view ? [{ id: view.id, latest: view.latestAttempt.id }] : [],
    claims: claims.map(({ attempt, leaseToken }) => ({ attempt: attempt.id, job: attempt.job.id, token: leaseToken })),
  };
}

function isRefusedConnection(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === "ECONNREFUSED";
}

export async function callServer(url: string, sent: Sent, tokens: Tokens, signal: AbortSignal): Promise<Outcome> {
  const [token, variables] = requestOf(sent, tokens);
  try {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: documents[sent.kind], variables }),
      signal,
    });
    const { data, errors } = (await response.json()) as { data?: { answer: Member | View | null }; errors?: unknown[] };
    // An error is an outage, or a fault of this file: the first tells nothing about the effect, the second shows in the counts.
    if (data === undefined || errors !== undefined) return { kind: "unanswered" };
    return { kind: "answered", answer: word(sent.kind, data.answer), learned: learn(data.answer) };
  } catch (error) {
    return { kind: isRefusedConnection(error) ? "notSent" : "unanswered" };
  }
}
