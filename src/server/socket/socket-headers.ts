/** What stands in for HTTP's headers over WebSocket: browsers cannot send any when they open one. It checks no token. */

export type SocketHeaders = Readonly<Record<string, string>>;

/** An object of texts, by names in any case; whatever else it holds is left out. */
export function readHeaders(value: unknown): SocketHeaders {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), text]));
}

/**
 * `connectionParams` hold headers for the whole connection, or the bare token as `token`. An idempotency key among them is
 * none: it names one intent, and would make one job of all those that the connection asks for.
 */
export function readConnectionHeaders(params: unknown): SocketHeaders {
  const { token, "idempotency-key": _ofOneIntent, ...headers } = readHeaders(params);
  if (token === undefined || headers["authorization"] !== undefined) return headers;
  return { ...headers, authorization: `Bearer ${token}` };
}
