/** What the walk gives to arguments: by their names and types from pools, of what ann has or of what never was. */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import type { WalkDocument } from "./isolation-documents.ts";

/** What a caller may name of a job of ann's. An invented one has the same of no job at all. */
export interface Names {
  readonly id: string;
  readonly jobId: string;
  readonly attemptId: string;
  readonly key: string;
  readonly leaseToken: string;
  readonly claimKey: string;
  readonly ownerId: string;
  /** By the field of the list. */
  readonly cursors: Readonly<Record<string, string>>;
}

/** Which of what may be left out is given: nothing, everything, or the one argument or input field at this path. */
export type Choice = { readonly given: "required" | "all" } | { readonly given: "one"; readonly path: string };

type Pool = (names: Names, field: string) => unknown;
const always =
  (value: unknown): Pool =>
  () =>
    value;

function cursorOf({ cursors }: Names, field: string): string {
  const cursor = cursors[field];
  if (cursor === undefined)
    throw new Error(`The walk has no cursor of the list ${field}: add one in isolation-names.ts.`);
  return cursor;
}

const pools: Readonly<Record<string, Pool>> = {
  "id: ID": ({ id }) => id,
  "jobId: ID": ({ jobId }) => jobId,
  "attemptId: ID": ({ attemptId }) => attemptId,
  "afterAttemptId: ID": ({ attemptId }) => attemptId,
  "certificationId: ID": ({ id }) => id,
  "idempotencyKey: String": ({ key }) => key,
  "ownerId: String": ({ ownerId }) => ownerId,
  "leaseToken: String": ({ leaseToken }) => leaseToken,
  "claimKey: String": ({ claimKey }) => claimKey,
  "after: String": cursorOf,
  "before: String": cursorOf,
  "actor: String": always("olga"),
  "after: Int": always(1),
  "first: Int": always(3),
  "last: Int": always(3),
  "limit: Int": always(2),
  "waitMs: Int": always(0),
  "priority: Int": always(7),
  "expiresInSeconds: Int": always(60),
  "operation: String": always("paper"),
  "operations: String": always("paper"),
  // An operation of which no job waits: what is claimed is looked at elsewhere.
  "provider: String": always("laser"),
  "providers: String": always("inkjet"),
  "fallbackProviders: String": always("laser"),
  "workerId: String": always("worker-of-the-walk"),
  "providerRequestId: String": always("request-of-the-walk"),
  "reason: String": always("the walk"),
  "evidence: String": always("the walk"),
  "code: String": always("WALKED"),
  "message: String": always("the walk"),
  "fraction: Float": always(0.5),
  "input: JSON": always({ text: "Menu" }),
  "metadata: JSON": always({ table: 4 }),
  "result: JSON": always({ pages: 1 }),
  "createdAfter: DateTime": always("2026-01-01T00:00:00.000Z"),
  "createdBefore: DateTime": always("2100-01-01T00:00:00.000Z"),
  "stateChangedBefore: DateTime": always("2100-01-01T00:00:00.000Z"),
  "notBefore: DateTime": always("2100-01-01T00:00:00.000Z"),
};

/** Arguments of the kind that the walk fills by their type alone. */
function valueOf(
  name: string,
  given: GraphQLInputType,
  field: string,
  names: Names,
  choice: Choice,
  path: string,
): unknown {
  const type = getNullableType(given);
  if (isListType(type)) return [valueOf(name, type.ofType, field, names, choice, path)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const within = Object.values(type.getFields()).filter(
      (one) => isRequiredInputField(one) || chooses(choice, `${path}.${one.name}`),
    );
    return Object.fromEntries(
      within.map((one) => [one.name, valueOf(one.name, one.type, field, names, choice, `${path}.${one.name}`)]),
    );
  }
  const named = getNamedType(type).name;
  if (named === "Boolean") return true;
  const pool = pools[`${name}: ${named}`];
  if (pool === undefined)
    throw new Error(
      `The walk does not know what to give to ${path} of ${field}: add a pool "${name}: ${named}" in isolation-values.ts.`,
    );
  return pool(names, field);
}

function chooses(choice: Choice, path: string): boolean {
  if (choice.given !== "one") return choice.given === "all";
  return choice.path === path || choice.path.startsWith(`${path}.`);
}

export function variablesOf({ spots }: WalkDocument, names: Names, choice: Choice): Record<string, unknown> {
  const given = spots.filter(({ variable, argument }) => isRequiredArgument(argument) || chooses(choice, variable));
  return Object.fromEntries(
    given.map(({ variable, field, argument }) => [
      variable,
      valueOf(argument.name, argument.type, field, names, choice, variable),
    ]),
  );
}

function optionalPaths(type: GraphQLInputType, path: string, isRequired: boolean): string[] {
  const named = getNamedType(type);
  const own = isRequired ? [] : [path];
  if (!isInputObjectType(named)) return own;
  const within = Object.values(named.getFields()).flatMap((one) =>
    optionalPaths(one.type, `${path}.${one.name}`, isRequiredInputField(one)),
  );
  return [...own, ...within];
}

/**
 * Nothing but what is required, all at once, and each optional argument and input field alone. Arguments deeper in a document
 * are tried where it lists what the caller has: of another's job there is nothing to give them to.
 */
export function choicesOf({ spots, root }: WalkDocument): Choice[] {
  const isList = spots.every(({ argument }) => !isRequiredArgument(argument));
  const tried = spots.filter(({ field }) => isList || field === root);
  const paths = tried.flatMap(({ variable, argument }) =>
    optionalPaths(argument.type, variable, isRequiredArgument(argument)),
  );
  const alone = paths.map((path) => ({ given: "one", path }) as const);
  return [{ given: "required" }, ...(paths.length > 1 ? [{ given: "all" } as const] : []), ...alone];
}
