/** Arbitrary calls of the API: who asks what, how it is sent, and how it was damaged on the way. It sends nothing. */
import fc, { type Arbitrary } from "fast-check";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import { type Caller, callers } from "./fuzz-config.ts";
import { seldom } from "./scalar-values.ts";
import { createChooser } from "./selections.ts";
import { type Operation, type Resolve, type Written, writeDocument } from "./write-document.ts";

/** What a bad line or a careless client makes of a document, of its variables, or of the whole that is sent. */
interface Damage {
  readonly of: "query" | "variables" | "message";
  readonly kind: "cut" | "drop" | "double" | "insert" | "empty";
  /** 0 to 1: where. */
  readonly at: number;
  readonly token: string;
}

export interface Call {
  readonly caller: Caller | null;
  readonly transport: "post" | "get" | "socket";
  readonly accept: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly operation: Operation;
  readonly operationName: string | null;
  readonly damage: Damage | null;
}

const tokens = [
  "{",
  "}",
  "(",
  "$x",
  "!",
  "...",
  '"',
  '"""',
  "@skip",
  "#",
  "\0",
  "é",
  "null",
  "on",
  ":",
  "[",
  "fragment F on Job { id }",
];

const damages: Arbitrary<Damage> = fc.record({
  of: fc.constantFrom("query", "query", "variables", "message"),
  kind: fc.constantFrom("cut", "drop", "double", "insert", "empty"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  token: fc.constantFrom(...tokens),
});

function damaged(text: string, { kind, at, token }: Damage): string {
  const place = Math.floor(at * text.length);
  const [before, after] = [text.slice(0, place), text.slice(place)];
  if (kind === "empty") return "";
  if (kind === "cut") return before;
  if (kind === "drop") return before + after.slice(3);
  return kind === "double" ? before + text.slice(Math.max(0, place - 20), place) + after : before + token + after;
}

export function writtenCall({ operation, damage }: Call, resolve: Resolve): Written {
  const written = writeDocument(operation, resolve);
  if (damage === null || damage.of === "message") return written;
  return { ...written, [damage.of]: damaged(written[damage.of], damage) };
}

/** The damage to what is sent as a whole, where that is what was damaged. */
export function messageDamage({ damage }: Call): ((message: string) => string) | null {
  return damage?.of === "message" ? (message) => damaged(message, damage) : null;
}

function rarely<Value>(often: Value, weight: number, ...rare: readonly Value[]): Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });
}

const headers: Arbitrary<Readonly<Record<string, string>>> = rarely<Readonly<Record<string, string>>>(
  {},
  12,
  { "idempotency-key": "k1" },
  { "idempotency-key": '"k2"' },
  { "idempotency-key": '"open' },
  { "idempotency-key": "\u00fc" },
  { "idempotency-key": "" },
  { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  { traceparent: "\u00ff".repeat(300) },
);

export function callsOf(schema: GraphQLSchema, depth: number): Arbitrary<Call> {
  const chooser = createChooser(schema);

  function operations(kind: Operation["kind"], root: GraphQLObjectType, maxLength: number): Arbitrary<Operation> {
    const fields = Object.values(root.getFields()).map((field) => chooser.rootField(field, depth));
    return fc.record({
      kind: fc.constant(kind),
      name: seldom(fc.constantFrom("Q", "mutation"), 2),
      selections: fc.array(fc.oneof(...fields), { minLength: 1, maxLength }),
    });
  }

  const { query, mutation, subscription } = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  if (!query || !mutation || !subscription) throw new Error("The schema has not all three kinds of operations.");
  const call = (
    operation: Arbitrary<Operation>,
    transports: Arbitrary<Call["transport"]>,
    accepts: Arbitrary<string>,
  ) =>
    fc.record<Call>({
      caller: rarely<Caller | null>("all", 60, null).chain((one) =>
        one === null ? fc.constant(null) : fc.constantFrom(...callers),
      ),
      transport: transports,
      accept: accepts,
      headers,
      operation,
      operationName: rarely<string | null>(null, 20, "Q", "mutation", "nothing", ""),
      damage: seldom(damages, 12),
    });
  const plain = rarely(
    "application/json",
    3,
    "application/graphql-response+json",
    "*/*",
    "text/event-stream",
    "multipart/mixed",
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: call(operations("query", query, 3), fc.constantFrom("post", "post", "get", "socket"), plain),
    },
    {
      weight: 5,
      arbitrary: call(
        operations("mutation", mutation, 3),
        rarely<Call["transport"]>("post", 5, "socket", "socket", "get"),
        plain,
      ),
    },
    {
      weight: 1,
      arbitrary: call(
        operations("subscription", subscription, 1),
        fc.constantFrom("post", "socket"),
        rarely("text/event-stream", 12, "application/json"),
      ),
    },
  );
}
