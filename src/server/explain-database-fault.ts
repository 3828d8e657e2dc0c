/** Says in one line why a database cannot be used, and what to do. What it does not know it gives back as it was. */
import { StartupFault } from "./startup-fault.ts";

interface Place {
  /** `host:port`, without the password. */
  readonly server: string;
  readonly database: string;
  readonly user: string;
}

function placeOf(url: string): Place {
  const { hostname, port, pathname, username } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    server: `${hostname || "localhost"}:${port || "5432"}`,
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

/** By SQLSTATE, by Node's code and by postgres.js's. */
const explanations: Readonly<Record<string, (place: Place) => string>> = {
  ECONNREFUSED: ({ server }) => `nothing listens at ${server}: is the server running, and is the address right?`,
  ECONNRESET: ({ server }) => `${server} closes the connection: is it a PostgreSQL server?`,
  CONNECTION_CLOSED: ({ server }) => `${server} closes the connection: is it a PostgreSQL server?`,
  NOT_POSTGRES: ({ server }) => `what answers at ${server} is no PostgreSQL server: is the address right?`,
  ENOTFOUND: ({ server }) => `the host of ${server} is not known: is the address right?`,
  EAI_AGAIN: ({ server }) => `the host of ${server} cannot be looked up now: is the network up?`,
  EHOSTUNREACH: ({ server }) => `there is no way to ${server}: is the address right?`,
  ENETUNREACH: ({ server }) => `there is no way to ${server}: is the network up?`,
  ETIMEDOUT: ({ server }) => `${server} does not answer: is the address right, and does a firewall stand between?`,
  CONNECT_TIMEOUT: ({ server }) =>
    `${server} does not answer: is the address right, and does a firewall stand between?`,
  "28P01": ({ server, user }) => `${server} refuses the password of ${user}.`,
  "28000": ({ server, user }) => `${server} does not let ${user} in.`,
  "3D000": ({ server, database }) => `there is no database ${database} at ${server}: create it, or name another.`,
  // What PgBouncer says of every setting that it does not know.
  "08P01": ({ server }) =>
    `${server} does not take the settings of a session: if it is a pooler, give the address past it as directDatabaseUrl.`,
  "42501": ({ database, user }) =>
    `${user} may not create tables in ${database}: grant CREATE on the database and its schema public.`,
  "42710": ({ database }) =>
    `${database} holds something else already: name an empty database, or one that Onejob has made.`,
  "42P07": ({ database }) =>
    `${database} holds something else already: name an empty database, or one that Onejob has made.`,
  "53300": ({ server }) => `${server} has no connection left: raise its max_connections, or end other clients.`,
  "57P03": ({ server }) => `${server} is still starting or about to stop: try again in a moment.`,
};

/** The codes of an error and of what caused it, the outermost first. */
export function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...codesOf(error.cause)];
}

export function explainDatabaseFault(error: unknown, url: string): unknown {
  // By name, since the class may have been loaded twice.
  if (error instanceof Error && (error.name === "UnsupportedDatabaseError" || error.name === "PoolerSettingsError"))
    return new StartupFault([error.message], error);
  const code = codesOf(error).find((candidate) => explanations[candidate] !== undefined);
  const explain = code === undefined ? undefined : explanations[code];
  return explain === undefined
    ? error
    : new StartupFault([`The database cannot be used: ${explain(placeOf(url))}`], error);
}
