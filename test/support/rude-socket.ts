/** A WebSocket without manners: it sends frames byte for byte, also such as no library would make, and says how it was closed. */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type Caller, tokens } from "./api-config.ts";
import { openConnection } from "./rude-client.ts";
import { waitUntil } from "./wait-until.ts";

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9 } as const;

export interface RudeSocket {
  readonly raw: Socket;
  /** What the server sent after its handshake, as text. */
  received(): string;
  send(frame: Buffer): void;
  /** Resolves with the code with which the server closed, or null where it cut the connection. */
  closed(): Promise<number | null>;
}

/** A masked frame, as clients send them; `length` may lie about the payload. */
export function frame(
  opcode: number,
  payload: Buffer,
  { fin = true, masked = true, length = payload.length } = {},
): Buffer {
  const first = (fin ? 0x80 : 0) | opcode;
  const flag = masked ? 0x80 : 0;
  const head =
    length < 126 ? Buffer.from([first, flag | length]) : Buffer.from([first, flag | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2);
  if (!masked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

export const textFrame = (text: string) => frame(opcodes.text, Buffer.from(text));

/** Goes through the server's frames, which have no mask, to the one that closes. */
function closeCodeIn(bytes: Buffer): number | null {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (at + 2 + extra > bytes.length) return null;
    const start = at + 2 + extra;
    const length = extra === 0 ? short : bytes.readUIntBE(start - Math.min(extra, 4), Math.min(extra, 4));
    if (((bytes[at] ?? 0) & 0x0f) === opcodes.close)
      return bytes.length >= start + 2 ? bytes.readUInt16BE(start) : null;
    at = start + length;
  }
  return null;
}

export async function openRudeSocket(url: string, caller: Caller | null = "bob"): Promise<RudeSocket> {
  const raw = await openConnection(url);
  const chunks: Buffer[] = [];
  raw.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const key = randomBytes(16).toString("base64");
  raw.write(
    `GET /graphql HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  const bytes = () => Buffer.concat(chunks);
  const body = () => bytes().subarray(bytes().indexOf("\r\n\r\n") + 4);
  await waitUntil("the server has taken the upgrade", () => bytes().includes("\r\n\r\n"));
  const send = (part: Buffer) => void raw.write(part);
  if (caller !== null) {
    send(textFrame(JSON.stringify({ type: "connection_init", payload: { token: tokens[caller] } })));
    await waitUntil("the connection is acknowledged", () => body().includes("connection_ack"));
  }
  return {
    raw,
    received: () => body().toString("utf8"),
    send,
    async closed() {
      await waitUntil("the server has closed the socket", () => raw.closed || closeCodeIn(body()) !== null);
      return closeCodeIn(body());
    },
  };
}
