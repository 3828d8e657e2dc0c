/**
 * Judges what a caller asks of createJob: every fault at once, as JSON Pointers into the mutation's input, and the intent
 * with its two digests. It looks no key up and records nothing.
 */
import {
  digestIntent,
  type GivenIntent,
  maxInputBytes,
  maxMetadataBytes,
  maxPriority,
  minPriority,
  type ResolvedIntent,
  resolveIntent,
} from "../../domain/intent.ts";
import type { Json } from "../../domain/json.ts";
import type { Catalog, Operation } from "../../domain/operation.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import { listed, quoted } from "../wording.ts";
import { sizeIssues, unstorableIssues } from "./check-size.ts";
import { rangeIssues } from "./check-text.ts";

export interface CreateRequest {
  readonly operation: string;
  readonly provider?: string | null | undefined;
  readonly fallbackProviders?: readonly string[] | null | undefined;
  /** JSON! in the schema; that null is no value of it cannot be said of a type which holds null. */
  readonly input?: Json | undefined;
  readonly metadata?: Json | undefined;
  readonly priority: number;
}

export interface Digests {
  readonly given: string;
  readonly resolved: string;
}

export interface JudgedCreate {
  readonly issues: readonly InputIssue[];
  readonly intent: ResolvedIntent;
  /** Null where the input cannot be stored, or a name is no Unicode text: such an intent equals no recorded one. */
  readonly digests: Digests | null;
}

/** `root` is where the request stands in the mutation's input: "" for createJob, "/jobs/3" for one of many. */
export async function judgeCreate(catalog: Catalog, request: CreateRequest, root = ""): Promise<JudgedCreate> {
  const operation = catalog.operations.get(request.operation);
  const given = givenIntent(request);
  const intent = resolveIntent(given, operation?.providers ?? []);
  const unstorable = unstorableIssues(intent.input, maxInputBytes, `${root}/input`);
  const issues = [
    ...operationIssues(catalog, request.operation, `${root}/operation`),
    ...providerIssues(catalog, operation, request, intent, root),
    ...(unstorable.length > 0 ? unstorable : await inputIssues(operation, intent.input, `${root}/input`)),
    ...metadataIssues(request.metadata ?? null, `${root}/metadata`),
    ...rangeIssues(`${root}/priority`, request.priority, minPriority, maxPriority),
  ];
  const names = [intent.operation, intent.provider, ...intent.fallbackProviders];
  const isText = unstorable.length === 0 && names.every((name) => name.isWellFormed());
  const digests = isText ? { given: digestIntent(given), resolved: digestIntent(intent) } : null;
  return { issues, intent, digests };
}

/** What was left out, or given as null, is absent. */
function givenIntent({ operation, provider, fallbackProviders, input }: CreateRequest): GivenIntent {
  return {
    operation,
    ...(typeof provider === "string" && { provider }),
    ...(Array.isArray(fallbackProviders) && { fallbackProviders: fallbackProviders as readonly string[] }),
    input: input ?? null,
  };
}

function operationIssues(catalog: Catalog, name: string, path: string): InputIssue[] {
  if (catalog.operations.has(name)) return [];
  return [
    { path, message: `There is no operation ${quoted(name)}. Known ones: ${listed(catalog.operations.keys())}.` },
  ];
}

function providerIssues(
  catalog: Catalog,
  operation: Operation | undefined,
  { provider, fallbackProviders }: CreateRequest,
  intent: ResolvedIntent,
  root: string,
): InputIssue[] {
  // Of an operation that is not known, the default is not known either: there is only a given name to judge.
  const isKnown = operation !== undefined || typeof provider === "string";
  const target = isKnown ? nameIssues(catalog, operation, intent.provider, `${root}/provider`) : [];
  const seen = new Set([intent.provider]);
  const fallbacks = (fallbackProviders ?? []).flatMap((name, index) => {
    const path = `${root}/fallbackProviders/${index}`;
    const unfit = nameIssues(catalog, operation, name, path);
    if (unfit.length > 0) return unfit;
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const role =
      name === intent.provider ? "is the target itself, so it cannot be a fallback" : "is among the fallbacks before";
    return [{ path, message: `The provider ${quoted(name)} ${role}: leave it out.` }];
  });
  return [...target, ...fallbacks];
}

function nameIssues(catalog: Catalog, operation: Operation | undefined, name: string, path: string): InputIssue[] {
  if (!catalog.providers.has(name)) {
    const known = operation?.providers ?? catalog.providers.keys();
    return [{ path, message: `There is no provider ${quoted(name)}. Known ones: ${listed(known)}.` }];
  }
  if (operation === undefined || operation.providers.includes(name)) return [];
  const message = `The provider ${quoted(name)} does not offer ${quoted(operation.name)}. Those that do: ${listed(operation.providers)}.`;
  return [{ path, message }];
}

/** Its size first, which is cheap, and only then the operation's schema. */
async function inputIssues(
  operation: Operation | undefined,
  input: Json,
  path: string,
): Promise<readonly InputIssue[]> {
  const oversize = sizeIssues(input, maxInputBytes, path);
  if (oversize.length > 0 || operation === undefined) return oversize;
  const faults = await operation.judgeInput(input);
  return faults.map((fault) => ({ path: path + fault.path, message: fault.message }));
}

function metadataIssues(metadata: Json, path: string): InputIssue[] {
  const unstorable = unstorableIssues(metadata, maxMetadataBytes, path);
  return unstorable.length > 0 ? unstorable : sizeIssues(metadata, maxMetadataBytes, path);
}
