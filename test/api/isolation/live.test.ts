/** Subscriptions in a stranger's hands: another owner's job is no more there than one that never was, and nothing of her changes arrives (I11). */
import { randomUUID } from "node:crypto";
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import { createClient as createSseClient } from "graphql-sse";
import { createClient as createSocketClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import type { Api } from "../../support/api-client.ts";
import { annsOwnerId, isolationTokens } from "../../support/isolation-config.ts";
import { noteWalked, partsOfSchema } from "../../support/isolation-coverage.ts";
import { documentsOf, type WalkDocument } from "../../support/isolation-documents.ts";
import { keyOf } from "../../support/isolation-jobs.ts";
import { neutralPair } from "../../support/isolation-names.ts";
import { secretsIn } from "../../support/isolation-secrets.ts";
import { choicesOf, type Names, variablesOf } from "../../support/isolation-values.ts";
import { type IsolationWorld, introspect, startIsolationWorld } from "../../support/isolation-world.ts";
import { waitUntil } from "../../support/wait-until.ts";

// Dozens of streams: on a busy machine they take their time, and no verdict hangs on it.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const patienceMs = 60_000;

type Variables = Record<string, unknown>;
type Walker = keyof typeof isolationTokens;
const walked = new Set<string>();
const close: (() => unknown)[] = [];
let world: IsolationWorld;
let schema: GraphQLSchema;
let documents: ReadonlyMap<string, WalkDocument>;

beforeAll(async () => {
  world = await startIsolationWorld();
  schema = await introspect(world);
  const all = documentsOf(schema).filter(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION);
  documents = new Map(all.map((document) => [document.field, document]));
});
afterAll(async () => {
  vi.resetConfig();
  for (const one of close) await one();
  await world.stop();
});

/** What came, frame by frame as it was read, and whether the server has ended it. */
interface Heard {
  readonly text: () => string;
  readonly ended: () => boolean;
}

const headersOf = (caller: Walker) => ({ authorization: `Bearer ${isolationTokens[caller]}` });
const clients = {
  "graphql-ws": (caller: Walker) =>
    createSocketClient({
      url: `${world.url.replace(/^http/, "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: headersOf(caller),
      retryAttempts: 0,
    }),
  "Server-Sent Events": (caller: Walker) =>
    createSseClient({ url: `${world.url}/graphql`, headers: headersOf(caller), retryAttempts: 0 }),
};
type Transport = keyof typeof clients;

function follow(transport: Transport, caller: Walker, field: string, variables: Variables): Heard {
  const query = documents.get(field)?.text ?? "";
  const client = clients[transport](caller);
  close.push(() => client.dispose());
  const said: string[] = [];
  let isEnded = false;
  const note = (value: unknown) => void said.push(JSON.stringify(value));
  const complete = () => {
    isEnded = true;
  };
  const error = (value: unknown) => {
    note(value);
    isEnded = true;
  };
  client.subscribe({ query, variables }, { next: note, error, complete });
  return { text: () => said.join("\n"), ended: () => isEnded };
}

async function end(heard: Heard): Promise<string> {
  await waitUntil("a subscription has ended", heard.ended);
  return heard.text();
}

const notBefore = "2100-01-01T00:00:00Z";
const nothing: Names = neutralPair().foreign;
/** Of what has no arguments that must be given, the caller follows whatever is his own. */
const isAboutOne = ({ spots, root }: WalkDocument) =>
  spots.some(
    ({ field, argument }) =>
      field === root && String(argument.type).endsWith("!") && argument.defaultValue === undefined,
  );

/** Every choice of the field's own arguments, with these names. */
function variationsOf(document: WalkDocument, names: Names): Variables[] {
  const choices = choicesOf(document).filter((one) => one.given !== "one" || one.path.startsWith("Subscription_"));
  const all = choices.map((choice) => variablesOf(document, names, choice));
  for (const variables of all) noteWalked(walked, schema, document.text, variables);
  return [...new Map(all.map((variables) => [JSON.stringify(variables), variables])).values()];
}

describe.each(["graphql-ws", "Server-Sent Events"] as const)("over %s", (transport) => {
  it.each(["bob", "otherWorker", "inkjetWorker"] as const)(
    "a subscription of %s to another's job is refused in the words for one that never was",
    async (caller) => {
      const { job } = await world.ann.create({
        idempotencyKey: randomUUID(),
        operation: "paper",
        input: {},
        notBefore,
      });
      const hers = { ...nothing, id: job?.id ?? "", jobId: job?.id ?? "" };
      for (const document of [...documents.values()].filter((one) => caller !== "bob" || isAboutOne(one))) {
        const others = variationsOf(document, nothing);
        for (const [index, variables] of variationsOf(document, hers).entries()) {
          const foreign = await end(follow(transport, caller, document.field, variables));
          const invented = await end(follow(transport, caller, document.field, others[index]!));
          expect(foreign.replaceAll(hers.id, nothing.id), document.field).toBe(invented);
          expect(foreign, document.field).toMatch(/"(NOT_FOUND|FORBIDDEN|NOT_AVAILABLE_YET)"/);
        }
      }
    },
  );
});

/** Changes of the caller's own job under this key, which no claim finds waiting afterwards; its newest event's number. */
async function pulse(api: Api, key: string): Promise<number> {
  const provider = "laser";
  const { job } = await api.create({ idempotencyKey: key, operation: "paper", provider, input: {}, notBefore });
  if (job?.state === "FAILED") await api.retry(job.id, job.latestAttempt.id);
  const { id, latestAttempt } = await api.job(job?.id ?? "");
  await api.cancelAttempt(latestAttempt.id);
  return (await api.job(id)).lastEventNumber;
}

it("nothing of all that happens to another's jobs arrives on a stream of one's own, with no filter and with any", async () => {
  const bob = world.as("bob");
  const names = { ...nothing, key: keyOf("taken-over"), ownerId: annsOwnerId };
  const lasting = [...documents.values()].filter((document) => !isAboutOne(document));
  const streams = lasting.flatMap((document) =>
    variationsOf(document, names).flatMap((variables) =>
      (["graphql-ws", "Server-Sent Events"] as const).map((by) => follow(by, "bob", document.field, variables)),
    ),
  );
  const hers = follow("graphql-ws", "ann", "jobsUpdated", {});
  // A stream begins with the next change: it has begun once it has shown one, and bob's fits every filter.
  await waitUntil(
    "each stream has begun, or was refused",
    async () => {
      await Promise.all([pulse(bob, names.key), pulse(world.ann, "pulse")]);
      return [...streams, hers].every((stream) => stream.ended() || stream.text() !== "");
    },
    patienceMs,
  );
  await world.letAnnWrite();
  await waitUntil("ann has seen her last job", () => hers.text().includes(keyOf("lost")), patienceMs);
  const newest = `"lastEventNumber":${await pulse(bob, names.key)},`;
  const isShown = (stream: Heard) => stream.ended() || stream.text().includes(newest);
  await waitUntil("bob has seen his own later change on each stream", () => streams.every(isShown), patienceMs);
  expect(secretsIn(hers.text()).length).toBeGreaterThan(40);
  // He has used her key himself, and is shown his own job under it.
  const told = streams.flatMap((stream) => secretsIn(stream.text().replaceAll(names.key, ""), world.annsIds));
  expect(told).toEqual([]);
  const refused = streams.filter((stream) => stream.ended()).map((stream) => stream.text());
  expect(refused).toHaveLength(4);
  for (const text of refused) expect(text).toContain("FORBIDDEN");
});

it("every subscription has been followed, with each of its arguments", () => {
  const parts = partsOfSchema(schema).filter((part) => part.startsWith("Subscription."));
  expect(parts.filter((part) => !walked.has(part))).toEqual([]);
});
