/** The kinds of abuse beside which the benchmark measures an owner's calls: what one rude client does, again and again. It judges no answer. */
import { once } from "node:events";
import { createConnection } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { tokens } from "../support/api-config.ts";
import { headOf } from "../support/rude-client.ts";
import { openRudeSocket, textFrame } from "../support/rude-socket.ts";

export interface Rudeness {
  readonly name: string;
  /** How many do it at a time. */
  readonly clients: number;
  act(url: string, stop: AbortSignal): Promise<void>;
}

/** Sends the body as bob, and waits for the answer whatever it is. */
async function post(url: string, body: string, token: string = tokens.bob): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  await fetch(`${url}/graphql`, { method: "POST", headers, body }).then(
    (response) => response.text(),
    () => "",
  );
}

const query = (text: string) => JSON.stringify({ query: text });
const repeated = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");

const aliasBomb = query(`{ ${repeated(1_000, (index) => `a${index}: jobByKey(idempotencyKey: "${index}") { id }`)} }`);
const fragmentBomb = query(
  `{ jobs { nodes { ...F0 } } } ${repeated(30, (index) => `fragment F${index} on Job { ...F${index + 1} ...F${index + 1} }`)} fragment F30 on Job { id }`,
);
const sameNames = query(`{ ${repeated(20_000, () => "viewer { ownerId }")} }`);
const wideList = query(
  "{ jobs(first: 100) { nodes { attempts(first: 100) { nodes { job { attempts(first: 100) { nodes { job { id } } } } } } } } }",
);
const createAny = (input: string) =>
  `{"query":"mutation ($input: JSON!) { createJob(input: {idempotencyKey: \\"k\\", operation: \\"any\\", input: $input}) { __typename } }","variables":{"input":${input}}}`;
const deep = createAny("[".repeat(500_000) + "]".repeat(500_000));
const manyKeys = createAny(`{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":0`).join(",")}}`);
const tooLarge = createAny(`"${"x".repeat(4_000_000)}"`);

async function holdOpen(url: string, stop: AbortSignal, first: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(first);
  while (!stop.aborted && !socket.closed) {
    socket.write(" ");
    await pause(250);
  }
  socket.destroy();
}

async function floodSocket(url: string, message: (id: number) => string): Promise<void> {
  const socket = await openRudeSocket(url, "bob");
  for (let id = 0; id < 500; id += 1) socket.send(textFrame(message(id)));
  await pause(500);
  socket.raw.destroy();
}

export const rudenesses: readonly Rudeness[] = [
  { name: "1,000 aliases in a document", clients: 2, act: (url) => post(url, aliasBomb) },
  { name: "fragments within fragments, 2^30 fields", clients: 2, act: (url) => post(url, fragmentBomb) },
  { name: "one field 20,000 times", clients: 2, act: (url) => post(url, sameNames) },
  { name: "lists of 100 in lists of 100", clients: 2, act: (url) => post(url, wideList) },
  { name: "an input 500,000 deep", clients: 2, act: (url) => post(url, deep) },
  { name: "an input of 90,000 keys", clients: 2, act: (url) => post(url, manyKeys) },
  { name: "a body of 4 MB", clients: 2, act: (url) => post(url, tooLarge) },
  {
    name: "guessed tokens",
    clients: 4,
    act: (url) => post(url, query("{ viewer { ownerId } }"), "token-that-nobody-has"),
  },
  {
    name: "500 bodies that come by the byte",
    clients: 500,
    act: (url, stop) => holdOpen(url, stop, `${headOf(1_000_000)}{`),
  },
  { name: "2,000 idle connections", clients: 2_000, act: (url, stop) => holdOpen(url, stop, "") },
  {
    name: "sockets with 500 operations each",
    clients: 2,
    act: (url) =>
      floodSocket(url, (id) =>
        JSON.stringify({ type: "subscribe", id: `${id}`, payload: { query: "{ jobs { nodes { id } } }" } }),
      ),
  },
];
