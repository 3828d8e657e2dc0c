/** Arbitrary values for an input type of the schema, with what is left out, null, or handed over in a variable. */
import fc, { type Arbitrary } from "fast-check";
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { InVariable, type Pool, Ref } from "./chosen-values.ts";
import { awkwardText, oneOf, scalarOf } from "./scalar-values.ts";

type Fields = Readonly<Record<string, unknown>>;

const sameOf = (pool: Pool, fields: Readonly<Record<string, string>>, more: Fields = {}): Arbitrary<Fields> =>
  fc.nat(199).map((index) => ({
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, new Ref(pool, index, field)])),
    ...more,
  }));

const reported = { attemptId: "attemptId", leaseToken: "leaseToken" };

/** What only fits together: drawn one by one, a lease token would hardly ever be that of the attempt. */
const fitting: Readonly<Record<string, Arbitrary<Fields>>> = {
  CreateJobInput: fc.uuid().map((idempotencyKey) => {
    const rest = { provider: undefined, fallbackProviders: undefined, metadata: undefined, priority: 0 };
    return { idempotencyKey, operation: "print", input: { text: "Menu" }, ...rest };
  }),
  RetryJobInput: sameOf("failed", { jobId: "jobId", afterAttemptId: "attemptId" }, { provider: undefined }),
  ReleaseKeyInput: sameOf("purged", { idempotencyKey: "key" }, { ownerId: "ann", reason: "ann asked for it" }),
  ResolveAttemptInput: sameOf("held", { attemptId: "attemptId" }, { outcome: "SUCCEEDED", result: { pages: 1 } }),
  MarkAttemptRunningInput: sameOf("held", reported),
  HeartbeatAttemptInput: sameOf("held", reported),
  CompleteAttemptInput: sameOf("held", reported, { result: { pages: 1 } }),
  FailAttemptInput: sameOf("held", reported, { code: "JAMMED", message: "Paper jam." }),
};

const isRequired = ({ type, defaultValue }: Pick<GraphQLArgument, "type" | "defaultValue">): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/** Half of those that may be left out are, and now and then one that may not be. */
function someOf(
  fields: readonly Pick<GraphQLArgument, "name" | "type" | "defaultValue">[],
  owner: string,
): Arbitrary<Fields> {
  const values = Object.fromEntries(fields.map((field) => [field.name, valueOf(field.type, field.name, owner)]));
  const required = fields.filter(isRequired).map(({ name }) => name);
  const whole = fc.record<Fields>(values, { requiredKeys: required });
  return required.length === 0
    ? whole
    : fc.oneof(
        { weight: 80, arbitrary: whole },
        { weight: 1, arbitrary: fc.record<Fields>(values, { requiredKeys: [] }) },
      );
}

const pageArguments: ReadonlySet<string> = new Set(["first", "after", "last", "before"]);
/** Pages that a list gives; all others it refuses, such as one with both first and last. */
const honestPages = [[], ["first"], ["last"], ["first", "after"], ["last", "before"], ["first", "after", "before"]];

export function argumentsOf(args: readonly GraphQLArgument[], field: string): Arbitrary<Fields> {
  const loose = someOf(args, field);
  if (!args.some(({ name }) => name === "last")) return loose;
  const honest = fc.tuple(loose, fc.constantFrom(...honestPages)).map(([given, page]) => {
    const kept = Object.entries(given).filter(([name]) => !pageArguments.has(name) || page.includes(name));
    return Object.fromEntries(kept);
  });
  return fc.oneof({ weight: 12, arbitrary: honest }, { weight: 1, arbitrary: loose });
}

function objectOf(type: GraphQLInputObjectType): Arbitrary<unknown> {
  const loose = someOf(Object.values(type.getFields()), type.name);
  const together = fitting[type.name];
  if (together === undefined) return loose;
  const tied = fc.tuple(loose, together).map(([object, fields]) => ({ ...object, ...fields }));
  return oneOf([2, tied], [1, loose]);
}

/** Nearly always of the type; the rest is what a careless client sends. */
function bareOf(type: GraphQLInputType, name: string, owner: string): Arbitrary<unknown> {
  if (isNonNullType(type)) return bareOf(type.ofType, name, owner);
  if (isListType(type)) {
    const item = valueOf(type.ofType, name, owner);
    return oneOf([12, fc.array(item, { maxLength: 4 })], [1, item]);
  }
  if (isInputObjectType(type))
    return oneOf([150, objectOf(type)], [1, fc.constantFrom<unknown>("x", 1, [], { unknown: 1 })]);
  if (isEnumType(type)) {
    const names = type.getValues().map((value) => value.name);
    return oneOf([60, fc.constantFrom(...names)], [1, fc.constantFrom<unknown>("NOTHING", 1, "queued")]);
  }
  return oneOf(
    [80, scalarOf(type.name, name, owner)],
    [1, fc.constantFrom<unknown>(true, 3, [], {}, 0.1)],
    [1, awkwardText],
  );
}

const known = new Map<string, Arbitrary<unknown>>();

function valueOf(type: GraphQLInputType, name: string, owner: string): Arbitrary<unknown> {
  const key = `${String(type)} ${name} ${owner}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const bare = oneOf([isNonNullType(type) ? 80 : 8, bareOf(type, name, owner)], [1, fc.constant(null)]);
  const modes = fc.constantFrom(...Array<"given">(12).fill("given"), "absent" as const, "nulled" as const);
  const inVariable = fc.tuple(bare, modes).map(([value, mode]) => new InVariable(value, mode));
  const value = oneOf([3, bare], [1, inVariable]);
  known.set(key, value);
  return value;
}
