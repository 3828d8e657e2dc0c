/** How a process notices, from the numbers alone, that it missed hints of another: by a hole, by silence, by being told. No Redis is needed. */
import { describe, expect, test } from "vitest";
import { type Message, type MessageKind, readMessage, writeMessage } from "../../src/store/doorbell/message.ts";
import { Roll } from "../../src/store/doorbell/roll.ts";

const [ann, bob] = ["a".repeat(12), "b".repeat(12)];

function said(kind: MessageKind, number: number, from: string = ann): Message {
  return { kind, from, number, jobIds: [] };
}

/** What each of the messages shows. */
function hear(roll: Roll, ...messages: readonly Message[]): boolean[] {
  return messages.map((message) => roll.hear(message));
}

/** Which of so many intervals, in which nobody says a word, is the one that shows a silence. */
function passing(roll: Roll, intervals: number): boolean[] {
  return Array.from({ length: intervals }, () => roll.pass());
}

describe("the roll of who rings", () => {
  test("hints in a row, with beats between them, show nothing", () => {
    const all = [said("call", 0), said("changed", 1), said("queued", 2), said("beat", 2), said("changed", 3)];
    expect(hear(new Roll(), ...all, said("bye", 3))).toEqual(all.concat(said("bye", 3)).map(() => false));
  });

  test("a hole before a hint, a beat, a call or a goodbye shows that hints were lost, once", () => {
    for (const [kind, number] of [
      ["changed", 7],
      ["queued", 7],
      ["beat", 6],
      ["call", 6],
      ["bye", 6],
    ] as const) {
      const roll = new Roll();
      expect(hear(roll, said("changed", 5), said(kind, number))).toEqual([false, true]);
      expect(hear(roll, said("beat", number))).toEqual([false]);
    }
  });

  test("numbers are each sender's own", () => {
    expect(hear(new Roll(), said("changed", 5), said("changed", 1, bob), said("changed", 6))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("what comes late or twice shows nothing, and takes nothing back", () => {
    const all = [said("changed", 5), said("changed", 5), said("changed", 3), said("beat", 4), said("changed", 6)];
    expect(hear(new Roll(), ...all)).toEqual(all.map(() => false));
  });

  test("a sender that owes a hint says so, and is believed at any number, known or not", () => {
    expect(hear(new Roll(), said("gap", 0))).toEqual([true]);
    expect(hear(new Roll(), said("changed", 5), said("gap", 5), said("changed", 6))).toEqual([false, true, false]);
  });

  test("a sender that falls silent is told of once, in the fourth interval, and may come back", () => {
    const roll = new Roll();
    hear(roll, said("beat", 5), said("beat", 9, bob));
    expect(passing(roll, 3)).toEqual([false, false, false]);
    hear(roll, said("beat", 9, bob));
    expect(passing(roll, 5)).toEqual([true, false, false, true, false]);
    expect(roll.size).toBe(0);
    expect(hear(roll, said("changed", 6))).toEqual([false]);
  });

  test("a sender that has said goodbye is not missed", () => {
    const roll = new Roll();
    hear(roll, said("changed", 5), said("bye", 5));
    expect(passing(roll, 9)).not.toContain(true);
  });

  test("after a break of its own, numbers begin anew and whoever was there is still missed", () => {
    const roll = new Roll();
    hear(roll, said("changed", 5), said("beat", 1, bob));
    passing(roll, 3);
    roll.restart();
    expect(hear(roll, said("changed", 12), said("changed", 14))).toEqual([false, true]);
    hear(roll, said("beat", 14));
    expect(passing(roll, 4)).toEqual([false, false, false, true]);
  });

  test("forged names take up no more than a bounded room, and do no harm to those who were there", () => {
    const roll = new Roll();
    hear(roll, said("changed", 5));
    for (let count = 0; count < 20_000; count += 1) roll.hear(said("beat", 0, String(count).padStart(12, "0")));
    expect(roll.size).toBe(10_000);
    expect(hear(roll, said("changed", 7))).toEqual([true]);
  });
});

describe("a message", () => {
  const ids = ["01a22a0d-9a55-7aa2-96ad-21161140405f", "01a22a0d-9c15-7aa2-96ad-60d02cc51be9"];

  test("is read as it was written, also with as many ids as one may have, within 8,000 bytes", () => {
    const all: Message[] = [
      { kind: "queued", from: ann, number: 12, jobIds: ids },
      { kind: "beat", from: ann, number: 0, jobIds: [] },
      { kind: "changed", from: bob, number: 999_999_999_999_999, jobIds: Array.from({ length: 200 }, () => ids[0]!) },
    ];
    for (const message of all) expect(readMessage(writeMessage(message))).toEqual(message);
    expect(all.map((message) => writeMessage(message).length < 8_000)).toEqual([true, true, true]);
  });

  test("that no server wrote is none", () => {
    const id = ids[0]!;
    const long = `changed ${ann} 1 ${Array.from({ length: 400 }, () => id).join(",")}`;
    const junk = ["", "hello", `changed ${ann}`, `changed ${ann} -1 `, `changed ${ann} 1.5 `, `shout ${ann} 1 `, long];
    junk.push(`changed ${ann} 1 ${id},`, `changed ${ann} 1 ${id}\n`, `changed ${ann} 1 x`, `changed someone 1 ${id}`);
    junk.push(`changed ${ann} 1 ${id.toUpperCase()}`, `changed ${ann} 9999999999999999 `, `${ann}:${id}`);
    expect(junk.map(readMessage)).toEqual(junk.map(() => null));
  });
});
