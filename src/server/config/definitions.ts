/** What a configuration file says, as types, and the two functions that type it. Plain data: nothing is judged before the server compiles it. */
import type { EffectClass, Provider, RetryPolicy } from "../../domain/operation.ts";
import type { AcceptedBy, DescribedSchema } from "../judge/standard-schema.ts";
import type { AuthDefinition, HttpDefinition, LimitsDefinition } from "./access-definitions.ts";
import type { LiveDefinition } from "./live-definitions.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFormat = "human" | "json";

/** A rule over an input and a result that answered it. */
export interface ContractPredicate<Input = unknown, Result = unknown> {
  readonly name: string;
  holds(pair: { readonly input: Input; readonly output: Result }): boolean;
}

/** What a provider must prove before it may take the operation over. Every part of it counts in the contract's digest. */
export interface OperationContract<Input = unknown, Result = unknown> {
  readonly predicates?: readonly ContractPredicate<Input, Result>[];
  readonly [part: string]: unknown;
}

/** A kind of job. Durations are milliseconds. */
export interface OperationDefinition<
  Input extends DescribedSchema = DescribedSchema,
  Output extends DescribedSchema = DescribedSchema,
> {
  /** A letter, then letters, digits, `_` and `-`; at most 63 characters, and unlike every other name also in another case. */
  readonly name: string;
  /** 1, 2, 3 …; raised when the meaning changes. By default 1. */
  readonly version?: number;
  readonly description?: string;
  /**
   * What a second try may cost. There is no default, since a wrong one costs money:
   * PURE changes nothing; KEYED acts once per idempotency key; QUERYABLE can be asked what became of an attempt; BLIND neither.
   */
  readonly effectClass: EffectClass;
  readonly input: Input;
  readonly output: Output;
  /** Names of configured providers: the first is the default target, the others the default fallbacks. */
  readonly providers: readonly string[];
  /** After this time an unanswered attempt is UNKNOWN. By default 30,000; at most seven days. */
  readonly attemptTimeoutMs?: number;
  /** A worker that is silent for so long is lost. By default 15,000; at most one day. */
  readonly leaseMs?: number;
  /** Tries per provider, and the wait between them, doubling. By default 3 tries, 500 to 30,000. */
  readonly retry?: Partial<RetryPolicy>;
  /** Who may cancel an attempt that a worker has: by default its owner for PURE operations, else operators alone. */
  readonly cancelAttempt?: "owner" | "operator";
  /** Without one no certification can pass, so nothing fails over to another provider. */
  readonly contract?: OperationContract<AcceptedBy<Input>, AcceptedBy<Output>>;
}

/** The input that an operation accepts: `InputOf<typeof print>`. */
export type InputOf<Definition extends OperationDefinition> = AcceptedBy<Definition["input"]>;
/** The result that an operation's provider must give. */
export type ResultOf<Definition extends OperationDefinition> = AcceptedBy<Definition["output"]>;

export interface OnejobConfig {
  readonly providers: readonly Provider[];
  readonly operations: readonly OperationDefinition[];
  /** Absent: one local owner with every role, and the server listens on loopback alone. */
  readonly auth?: AuthDefinition;
  readonly limits?: LimitsDefinition;
  readonly http?: HttpDefinition;
  readonly live?: LiveDefinition;
  /** By default 127.0.0.1. PORT and HOST, and the options --port and --host, override both. */
  readonly host?: string;
  /** By default 4000; 0 takes any free one. */
  readonly port?: number;
  /** A PostgreSQL of your own, 15 or newer: `postgres://user:password@host:5432/database`. DATABASE_URL overrides it. */
  readonly databaseUrl?: string;
  /**
   * Past the pooler, if databaseUrl leads through one in transaction mode such as PgBouncer: migrations and LISTEN go there,
   * and nothing else relies on sessions then. DIRECT_DATABASE_URL overrides it.
   */
  readonly directDatabaseUrl?: string;
  /** Where the embedded PostgreSQL keeps its data when there is no databaseUrl. By default `.onejob`. */
  readonly dataDir?: string;
  readonly log?: { readonly level?: LogLevel; readonly format?: LogFormat };
  /** How long running attempts may take to end when the server is asked to stop. By default 10,000. */
  readonly shutdownGraceMs?: number;
}

/** Types a configuration; gives it back as it is. */
export function defineConfig(config: OnejobConfig): OnejobConfig {
  return config;
}

/** Types an operation, its contract's predicates by its schemas; gives it back as it is. */
export function defineOperation<Input extends DescribedSchema, Output extends DescribedSchema>(
  definition: OperationDefinition<Input, Output>,
): OperationDefinition<Input, Output> {
  return definition;
}
