/** Which pages of other origins may call, over HTTP and over WebSocket. It authenticates nobody: a token is asked for all the same. */
import type { IncomingMessage } from "node:http";
import type { CORSOptions, Plugin } from "graphql-yoga";
import type { HttpSettings } from "./config/read-http.ts";

type Cors = HttpSettings["cors"];

/** What clients send beyond what every page may: the names that the CSRF protection knows among them. */
export const csrfHeaders = ["x-onejob-csrf", "x-graphql-yoga-csrf", "apollo-require-preflight"];
const allowedHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "traceparent",
  "tracestate",
  ...csrfHeaders,
];
/** The longest for which Chromium keeps a preflight's answer. */
const maxAgeSeconds = 7_200;

function isListed(cors: Cors, origin: string): boolean {
  return cors !== null && (cors.origins === "*" || cors.origins.includes(origin));
}

/**
 * One origin is named, and only to itself. Given the whole list, Yoga would answer strangers with "null", which is the
 * origin of every sandboxed frame.
 */
export function corsOptions(cors: Cors): false | ((request: Request) => CORSOptions) {
  if (cors === null) return false;
  return (request) => {
    const origin = request.headers.get("origin");
    if (origin === null || !isListed(cors, origin)) return false;
    return {
      origin: [origin],
      methods: ["GET", "POST", "OPTIONS"],
      allowedHeaders,
      exposedHeaders: ["retry-after"],
      credentials: cors.credentials,
      maxAge: maxAgeSeconds,
    };
  };
}

/** The answer to one origin is not the answer to another, also where a cache between them sees none. */
export function useVaryByOrigin(cors: Cors): Plugin {
  return {
    onResponse({ response }) {
      if (cors !== null) response.headers.append("vary", "origin");
    },
  };
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  try {
    const page = new URL(origin);
    return page.host === new URL(`${page.protocol}//${host}`).host;
  } catch {
    // "null", or nothing that a browser sends.
    return false;
  }
}

/** Browsers let every page open a WebSocket, and say whose it is; what is no browser says nothing. */
export function mayOpenSocket(cors: Cors, { headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || isListed(cors, origin) || isOwnOrigin(origin, host);
}
