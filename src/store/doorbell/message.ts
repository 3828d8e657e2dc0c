/** What servers say to each other over Redis, as one line of text. Whatever is not exactly such a line was said by somebody else. */
import type { Hint } from "../store.ts";

/**
 * `changed`, `queued` and `progress` are hints, numbered 1, 2, 3 … by their sender. The others name the last number: `beat` says that the
 * sender is there, `call` that it has just come and wants to hear who else is, `gap` that some hint was never sent, `bye` that
 * it goes, with nothing left to say.
 */
export type MessageKind = "changed" | "queued" | "progress" | "beat" | "call" | "gap" | "bye";

export interface Message {
  readonly kind: MessageKind;
  /** The sender's name: new at each start, so that its numbers begin with it. */
  readonly from: string;
  readonly number: number;
  readonly jobIds: readonly string[];
}

/** Ids of one message: under 8,000 bytes, as with NOTIFY. */
export const idsAtOnce = 200;
const longestMessage = 8_000;

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const pattern = new RegExp(
  `^(changed|queued|progress|beat|call|gap|bye) ([0-9a-f]{12}) ([0-9]{1,15}) ((?:${uuid}(?:,${uuid})*)?)$`,
);

export function isHint(kind: MessageKind): boolean {
  return kind === "changed" || kind === "queued" || kind === "progress";
}

export function kindOf({ queued, isProgress }: Hint): MessageKind {
  if (isProgress) return "progress";
  return queued ? "queued" : "changed";
}

export function hintOf(kind: MessageKind, jobIds: readonly string[]): Hint {
  return { jobIds, queued: kind === "queued", ...(kind === "progress" && { isProgress: true }) };
}

export function writeMessage({ kind, from, number, jobIds }: Message): string {
  return `${kind} ${from} ${number} ${jobIds.join(",")}`;
}

/** Null for what no server has written. It never throws. */
export function readMessage(text: string): Message | null {
  if (text.length > longestMessage) return null;
  const [, kind, from, number, ids] = pattern.exec(text) ?? [];
  if (kind === undefined || from === undefined || ids === undefined) return null;
  return { kind: kind as MessageKind, from, number: Number(number), jobIds: ids === "" ? [] : ids.split(",") };
}
