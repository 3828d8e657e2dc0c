/** How a configuration declares a provider. It carries nothing out and keeps no list of them. */
import type { LookupCall, Pace, Provider, ProviderCall } from "../domain/operation.ts";
import type { Outcome } from "../domain/outcome.ts";

export const defaultConcurrency = 4;

/** What every provider declares, whoever carries its attempts out. */
export interface ProviderIdentity {
  /** Letters, digits, `_` and `-`, beginning with a letter; at most 63 characters. */
  readonly name: string;
  /** Change it with model, endpoint or parameters: certifications hold for one revision. */
  readonly revision: string;
  readonly description?: string;
  /** Attempts that may be STARTING or RUNNING on it at a time, over all servers and workers; the others wait QUEUED. By default any number. */
  readonly maxRunning?: number;
  /** No more than `starts` attempts start on it within any span of `perMs` milliseconds, over all servers and workers. By default any number. */
  readonly pace?: Pace;
}

export interface ProviderDeclaration extends ProviderIdentity {
  run(call: ProviderCall): Promise<Outcome>;
  lookup?(attempt: LookupCall): Promise<Outcome | null>;
  cancel?(attempt: LookupCall): Promise<void>;
  /** Attempts that one server process carries out at a time. */
  readonly concurrency?: number;
}

const namePattern = /^[a-z][a-z0-9_-]{0,62}$/i;
const maxRevisionLength = 200;
const maxConcurrency = 10_000;
export const maxAllowedRunning = 1_000_000;
export const maxStarts = 10_000;
export const minWindowMs = 100;
export const maxWindowMs = 86_400_000;

function checkIdentity({ name, revision, description }: ProviderIdentity): void {
  if (typeof name !== "string" || !namePattern.test(name)) {
    throw new TypeError(
      `A provider's name begins with a letter, followed by up to 62 letters, digits, "_" or "-"; ${JSON.stringify(name)} does not.`,
    );
  }
  if (typeof revision !== "string" || revision === "" || revision.length > maxRevisionLength) {
    throw new TypeError(`The provider "${name}" needs a revision: a text of 1 to ${maxRevisionLength} characters.`);
  }
  if (revision.includes("\0") || !revision.isWellFormed()) {
    throw new TypeError(`The revision of the provider "${name}" holds characters that cannot be stored.`);
  }
  if (description !== undefined && typeof description !== "string") {
    throw new TypeError(`The description of the provider "${name}" is not a text.`);
  }
}

function wholeIn(value: unknown, least: number, greatest: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= greatest;
}

/** The limits alone, checked: those that are absent stay absent. */
function checkLimits({ name, maxRunning, pace }: ProviderIdentity): Pick<Provider, "maxRunning" | "pace"> {
  if (maxRunning !== undefined && !wholeIn(maxRunning, 1, maxAllowedRunning)) {
    throw new TypeError(`The provider "${name}" has a maxRunning that is no integer from 1 to ${maxAllowedRunning}.`);
  }
  if (pace !== undefined && !(wholeIn(pace.starts, 1, maxStarts) && wholeIn(pace.perMs, minWindowMs, maxWindowMs))) {
    throw new TypeError(
      `The pace of the provider "${name}" is { starts, perMs }: integers from 1 to ${maxStarts}, and from ${minWindowMs} to ${maxWindowMs}.`,
    );
  }
  return { ...(maxRunning !== undefined && { maxRunning }), ...(pace !== undefined && { pace }) };
}

function checkFunctions(declaration: ProviderDeclaration): void {
  for (const verb of ["run", "lookup", "cancel"] as const) {
    const given: unknown = declaration[verb];
    const mayBeAbsent = verb !== "run";
    if (typeof given === "function" || (mayBeAbsent && given === undefined)) continue;
    throw new TypeError(`The provider "${declaration.name}" needs \`${verb}\` to be a function.`);
  }
}

/** A provider whose attempts this server carries out itself, by calling `run`. */
export function defineProvider(declaration: ProviderDeclaration): Provider {
  checkIdentity(declaration);
  checkFunctions(declaration);
  const { name, revision, description = null, concurrency = defaultConcurrency } = declaration;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > maxConcurrency) {
    throw new TypeError(`The concurrency of the provider "${name}" is an integer from 1 to ${maxConcurrency}.`);
  }
  return {
    name,
    revision,
    description,
    concurrency,
    ...checkLimits(declaration),
    // Called on the declaration, which may be an object with a state of its own.
    run: (call) => declaration.run(call),
    ...(declaration.lookup && { lookup: (attempt) => declaration.lookup?.(attempt) ?? Promise.resolve(null) }),
    ...(declaration.cancel && { cancel: (attempt) => declaration.cancel?.(attempt) ?? Promise.resolve() }),
  };
}

/** A provider whose attempts workers carry out over the API, in whatever language. */
export function externalProvider(identity: ProviderIdentity): Provider {
  checkIdentity(identity);
  const { name, revision, description = null } = identity;
  return { name, revision, description, concurrency: defaultConcurrency, ...checkLimits(identity) };
}
