/** What keeps a server without authentication to its own machine: addresses, and the pages of this machine's browser. */
import type { IncomingMessage } from "node:http";

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

function isLoopbackUrl(text: string): boolean {
  try {
    return isLoopback(new URL(text).hostname);
  } catch {
    return false;
  }
}

/**
 * Whether a request means this machine and does not come from a foreign page. A page may open a WebSocket to any address,
 * and a name of its own that leads to 127.0.0.1 makes it look like the same origin; both show in the headers.
 */
export function comesFromThisMachine(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  return host !== undefined && isLoopbackUrl(`http://${host}`) && (origin === undefined || isLoopbackUrl(origin));
}
