/** Answers a request for a WebSocket with plain HTTP, as the routes answer one for a page, and closes. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export interface UpgradeRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export function refuseUpgrade(socket: Duplex, { status, code, message, retryAfterSeconds }: UpgradeRefusal): void {
  const body = `${JSON.stringify({ errors: [{ message, extensions: { code } }] })}\n`;
  const headers = [
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
  ];
  // Else a client that never closes its own side would hold the connection.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
}
