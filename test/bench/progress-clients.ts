/** The clients of the benchmark of progress: who creates, who follows, and workers who report over WebSocket. They judge nothing. */
import { createClient } from "graphql-ws";
import WebSocket from "ws";

const jobsOnSocket = 50;
const mostUnanswered = 3;

async function send(url: string, query: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: object | null; errors?: unknown };
  if (data === null || errors !== undefined) throw new Error(JSON.stringify(errors));
  return Object.values(data)[0];
}

/** Answers with the job's id. */
export async function createJob(url: string, operation: string, key: string): Promise<string> {
  const input = `{ operation: "${operation}", idempotencyKey: "${key}", input: 1 }`;
  const query = `mutation { createJob(input: ${input}) { ... on CreateJobSuccess { job { id } } } }`;
  return ((await send(url, query)) as { job: { id: string } }).job.id;
}

function connect(url: string) {
  return createClient({ url: `${url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
}

export async function followJobs(url: string, ids: readonly string[]) {
  let messages = 0;
  const clients: ReturnType<typeof connect>[] = [];
  const query = `subscription ($id: ID!) { jobUpdated(id: $id) { id state lastEventNumber progress { fraction message updatedAt } } }`;
  for (let from = 0; from < ids.length; from += jobsOnSocket) {
    const client = connect(url);
    clients.push(client);
    for (const id of ids.slice(from, from + jobsOnSocket)) {
      const sink = { next: () => void (messages += 1), error: (error: unknown) => console.error(error), complete() {} };
      client.subscribe({ query, variables: { id } }, sink);
    }
  }
  return { messages: () => messages, stop: () => clients.forEach((client) => void client.dispose()) };
}

interface Claim {
  readonly leaseToken: string;
  readonly attempt: { readonly id: string };
}

/** Attempts of workers: each reports as often as told, with a few reports unanswered at most. */
export async function reportOver(url: string, count: number) {
  const claims: Claim[] = [];
  for (let made = 0; made < count; made += 1) await createJob(url, "plot", `plot-${made}`);
  while (claims.length < count) {
    const query = `mutation { claimAttempts(input: { workerId: "w", providers: ["plotter"], limit: 50 }) { ... on ClaimAttemptsSuccess { claims { leaseToken attempt { id } } } } }`;
    claims.push(...((await send(url, query)) as { claims: Claim[] }).claims);
  }
  let answered = 0;
  let step = 0;
  let timers: NodeJS.Timeout[] = [];
  const query = `mutation ($input: HeartbeatAttemptInput!) { heartbeatAttempt(input: $input) { __typename } }`;
  const clients = Array.from({ length: Math.ceil(count / jobsOnSocket) }, () => connect(url));
  const unanswered = claims.map(() => 0);
  const beat = ({ leaseToken, attempt }: Claim, index: number): void => {
    if ((unanswered[index] ?? 0) >= mostUnanswered) return;
    unanswered[index] = (unanswered[index] ?? 0) + 1;
    step += 1;
    const input = { leaseToken, attemptId: attempt.id, progress: { fraction: (step % 1_000) / 1_000 } };
    const complete = () => void (unanswered[index] = (unanswered[index] ?? 1) - 1);
    const sink = { next: () => void (answered += 1), error: (error: unknown) => console.error(error), complete };
    clients[index % clients.length]?.subscribe({ query, variables: { input } }, sink);
  };
  const start = (rate: number) => {
    timers = claims.map((claim, index) => setInterval(() => beat(claim, index), 1_000 / rate));
  };
  return {
    answered: () => answered,
    report(rate: number) {
      for (const timer of timers) clearInterval(timer);
      timers = [];
      if (rate > 0) start(rate);
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      for (const client of clients) void client.dispose();
    },
  };
}
