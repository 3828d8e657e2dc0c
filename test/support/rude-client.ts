/** A client without manners: it sends bytes over TCP as they are, and says what came back. It knows no GraphQL and keeps no promise of HTTP. */
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { type Caller, tokens } from "./api-config.ts";

export interface RudeAnswer {
  /** Of the response's first line; null where the connection closed without one. */
  readonly status: number | null;
  readonly text: string;
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** An open connection, which nobody is obliged to use. */
export async function openConnection(url: string): Promise<Socket> {
  const socket = createConnection(addressOf(url));
  // A server that hangs up on it is what it asked for.
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** The head of a POST to the endpoint, to which a body may follow or not. */
export function headOf(length: number | null, caller: Caller | null = "bob", more: readonly string[] = []): string {
  return [
    "POST /graphql HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    ...(caller === null ? [] : [`Authorization: Bearer ${tokens[caller]}`]),
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...more,
    "",
    "",
  ].join("\r\n");
}

/** Sends the bytes, then waits for the connection's end; the server may answer before it has read everything. */
export async function sendBytes(url: string, ...parts: readonly (string | Buffer)[]): Promise<RudeAnswer> {
  const socket = await openConnection(url);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const closed = once(socket, "close");
  for (const part of parts) socket.write(part);
  await closed;
  const text = Buffer.concat(chunks).toString("utf8");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return { status: status === undefined ? null : Number(status), text };
}

/** A whole call whose body is given as bytes. */
export function postBytes(
  url: string,
  body: string | Buffer,
  caller: Caller | null = "bob",
  more: readonly string[] = [],
): Promise<RudeAnswer> {
  const bytes = Buffer.from(body as string);
  return sendBytes(url, headOf(bytes.length, caller, ["Connection: close", ...more]), bytes);
}
