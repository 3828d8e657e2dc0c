/** What a configuration file says about who may call, how much, and from where, as types alone. The other sections are in definitions.ts. */

export type RoleName = "OWNER" | "WORKER" | "OPERATOR";

/** A static token, shown as `Authorization: Bearer …`: itself, or its digest. */
export interface TokenDefinition {
  /** At least 16 characters. */
  readonly token?: string;
  /** SHA-256 of the token in hexadecimal, so that the file need not hold the token. */
  readonly tokenSha256?: string;
  /** Two tokens of one owner are one owner. */
  readonly ownerId: string;
  readonly roles: readonly RoleName[];
  /** For workers: the providers whose attempts the token may claim. Absent: all. */
  readonly providers?: readonly string[];
}

/** JSON Web Tokens: `sub` is the owner, `exp` is required. One of `secret` and `jwksUrl` is given. */
export interface JwtDefinition {
  /** HS256: at least 32 bytes. Of several, any verifies, so that one may follow another. */
  readonly secret?: string | readonly string[];
  /** Where the issuer publishes its public keys (https, or loopback). Needs `issuer` and `audience`. */
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string | readonly string[];
  /** The claim that lists the roles: a list, or a text with spaces between them. By default `roles`. */
  readonly rolesClaim?: string;
  /** The claim that lists a worker's providers. By default `providers`; a worker's token without it claims for none. */
  readonly providersClaim?: string;
  /** How far the issuer's clock may be off. By default 30, at most 300. */
  readonly clockToleranceSeconds?: number;
}

/** Short-lived tokens for browsers, which createJobToken makes: each follows one job. */
export interface JobTokensDefinition {
  /** At least 32 bytes, the same on every server. Of several, the first signs and any verifies. */
  readonly secret: string | readonly string[];
}

/** At least `tokens` or `jwt` is given: tokens for one job are made by somebody who can call. */
export interface AuthDefinition {
  readonly tokens?: readonly TokenDefinition[];
  readonly jwt?: JwtDefinition;
  readonly jobTokens?: JobTokensDefinition;
}

/** How much one caller may ask for. What is over a limit is refused with the limit's own code, never cut to size. */
export interface LimitsDefinition {
  /** Of a request's body and of a WebSocket message, in bytes. By default 1,310,720. */
  readonly bodyBytes?: number;
  /** Of an answer, or of one event of a subscription, in bytes. By default 33,554,432; at most 67,108,864. */
  readonly answerBytes?: number;
  /** Lexical tokens of a document. By default 2,000; at most 10,000. */
  readonly documentTokens?: number;
  /** Fields within fields. By default 16. */
  readonly depth?: number;
  /** Aliases in a document. By default 50. */
  readonly aliases?: number;
  /** What an operation may cost, as docs/limits.md counts it. By default 300,000. */
  readonly complexity?: number;
  /** Jobs of one createJobs or cancelJobs. By default 1,000, which is the most. */
  readonly batchSize?: number;
  /** On one WebSocket. By default 1,000. */
  readonly subscriptionsPerConnection?: number;
  /** Over all connections of an owner to one server. By default 10,000. */
  readonly subscriptionsPerOwner?: number;
  /** Open connections to one server, of any kind. By default 10,000. */
  readonly connections?: number;
  /** WebSockets of an owner to one server. By default 1,000. */
  readonly connectionsPerOwner?: number;
  /** Queries and mutations of one owner that a server carries out at a time; more wait for their turn. By default 64. */
  readonly operationsPerOwner?: number;
  /**
   * New jobs of one owner: no more than `count` within any span of `perMs`, whenever it begins, over all servers of the
   * database and by its clock. A place comes free up to a sixtieth of the span late. Repeats take none, and pass. Give every
   * server the same: those with another `perMs` count for themselves. By default unlimited.
   */
  readonly creationsPerOwner?: { readonly count: number; readonly perMs: number };
  /** After which a query or mutation is answered without its result. By default 60,000; at least 35,000, since a claim may wait for 30,000. */
  readonly operationTimeoutMs?: number;
  /** Within which a request must have arrived whole. By default 30,000. */
  readonly requestTimeoutMs?: number;
}

/** What the HTTP side shows, and to which pages. */
export interface HttpDefinition {
  /** Pages of other origins that may call. Absent: none. "*" is every one, and goes without credentials. */
  readonly cors?: { readonly origins: "*" | readonly string[]; readonly credentials?: boolean };
  /** Whether the schema may be asked for. By default true. */
  readonly introspection?: boolean;
  /** Whether browsers are shown GraphiQL. By default true. */
  readonly graphiql?: boolean;
  /** Documents that clients may name instead of sending. */
  readonly persistedDocuments?: {
    /** A JSON file of documents by id, such as `{ "sha256:…": "query …" }`; relative to the working directory. */
    readonly manifest: string;
    /** Refuses every other document, over WebSocket as well. By default false. */
    readonly only?: boolean;
  };
}
