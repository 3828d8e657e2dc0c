// A worker for the provider "inkjet", with nothing but fetch: it claims attempts, carries them out and hands the results
// in. It is not a client for those who create jobs. Set ONEJOB_URL and ONEJOB_TOKEN for a server elsewhere.
import { randomUUID } from "node:crypto";

const url = process.env.ONEJOB_URL ?? "http://127.0.0.1:4000/graphql";
const token = process.env.ONEJOB_TOKEN;
const workerId = `inkjet-${process.pid}`;

async function ask(query, input) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return Object.values(data)[0];
}

/** Waits up to 30 seconds for work. A lost answer is asked for again under the same key, and comes again. */
async function claim(claimKey) {
  const answer = await ask(
    `mutation Claim($input: ClaimAttemptsInput!) {
      claimAttempts(input: $input) {
        ... on ClaimAttemptsSuccess {
          claims { leaseToken input providerIdempotencyKey leaseMs attempt { id number } }
        }
        ... on UserError { message }
      }
    }`,
    { workerId, providers: ["inkjet"], claimKey, waitMs: 30_000 },
  );
  if (!answer.claims) throw new Error(answer.message);
  return answer.claims;
}

async function beat({ attempt, leaseToken }, fraction) {
  await ask(
    `mutation Beat($input: HeartbeatAttemptInput!) {
      heartbeatAttempt(input: $input) { __typename ... on UserError { message } }
    }`,
    { attemptId: attempt.id, leaseToken, progress: { fraction } },
  );
}

/** The work itself: here a page takes half a second. Hand `providerIdempotencyKey` to whatever really acts. */
async function print(claimed) {
  for (const fraction of [0.25, 0.5, 0.75]) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await beat(claimed, fraction);
  }
  return { pages: Math.ceil(claimed.input.text.length / 2_000) };
}

async function complete({ attempt, leaseToken }, result) {
  const answer = await ask(
    `mutation Complete($input: CompleteAttemptInput!) {
      completeAttempt(input: $input) { __typename ... on CompleteAttemptSuccess { job { id state } } ... on UserError { message } }
    }`,
    { attemptId: attempt.id, leaseToken, result },
  );
  console.log(`${attempt.id}: ${answer.message ?? `job ${answer.job.id} is ${answer.job.state}`}`);
}

console.log(`${workerId} waits for work at ${url}`);
let claimKey = randomUUID();
for (;;) {
  try {
    const claims = await claim(claimKey);
    claimKey = randomUUID();
    for (const claimed of claims) await complete(claimed, await print(claimed));
  } catch (error) {
    console.error(`${error.message}; asking again in a second`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
