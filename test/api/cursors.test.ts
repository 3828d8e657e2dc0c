/** Cursors and page sizes: a position comes back exactly, and everything else is refused with BAD_USER_INPUT. */
import { describe, expect, it } from "vitest";
import type { Attempt } from "../../src/domain/job.ts";
import { numberAt, numberCursor, positionAt, positionCursor } from "../../src/graphql/cursors.ts";
import { checkSize, sizeOf } from "../../src/graphql/page-size.ts";
import { attemptsConnection } from "../../src/graphql/types/attempts-of-job.ts";
import { newId } from "../../src/store/ids.ts";

const refusal: unknown = expect.objectContaining({ extensions: { code: "BAD_USER_INPUT" } });
const position = { at: new Date("2026-03-01T09:30:00.007Z"), id: newId() };

describe("cursors", () => {
  it("hold the position to the millisecond", () => {
    expect(positionAt("jobs", "job", positionCursor("jobs", "job", position))).toEqual(position);
    expect(numberAt("events", "job_x", numberCursor("events", "job_x", 7))).toBe(7);
  });

  const encode = (text: string) => Buffer.from(text).toString("base64url");
  const good = positionCursor("jobs", "job", position);
  it.each([
    ["of another list", positionCursor("attempts", "att", position)],
    ["of another kind of row", encode(`jobs ${position.at.toISOString()} att_${"0".repeat(26)}`)],
    ["with no instant", encode(`jobs yesterday job_${"0".repeat(26)}`)],
    ["with padding", `${good}=`],
    ["with a stray character", `${good}!`],
    ["cut short", good.slice(0, -1)],
    ["empty", ""],
    ["of NUL", encode("jobs \0 \0")],
  ])("%s are refused", (_, cursor) => {
    expect(() => positionAt("jobs", "job", cursor)).toThrow(refusal);
  });

  it("of another job's attempts are refused", () => {
    expect(() => numberAt("events", "job_y", numberCursor("events", "job_x", 7))).toThrow(refusal);
    expect(() => numberAt("events", "job_x", encode("events job_x -1"))).toThrow(refusal);
  });
});

describe("page sizes", () => {
  it("are 20 by default, and count from the end with last", () => {
    expect(sizeOf({})).toEqual({ limit: 20, fromEnd: false });
    expect(sizeOf({ first: null, last: 100 })).toEqual({ limit: 100, fromEnd: true });
    expect(sizeOf({ first: 0 })).toEqual({ limit: 0, fromEnd: false });
  });

  it.each([{ first: 101 }, { first: -1 }, { last: 101 }, { last: -1 }, { first: 1, last: 1 }])(
    "%o is refused",
    (page) => {
      expect(() => sizeOf(page)).toThrow(refusal);
    },
  );

  it("say which argument is out of range", () => {
    expect(() => checkSize("first", 501, 500)).toThrow("first is 501: ask for 0 to 500 at once");
  });
});

describe("a page of a job's attempts", () => {
  const jobId = newId();
  const attempts = [1, 2, 3, 4, 5].map((number) => ({ id: newId(), jobId, number }) as Attempt);
  const page = (asked: Parameters<typeof attemptsConnection>[2]) => {
    const { edges, hasNextPage, hasPreviousPage } = attemptsConnection(jobId, attempts, asked);
    return { numbers: edges.map(({ node }) => node.number), hasNextPage, hasPreviousPage };
  };
  const cursorOf = (number: number) => attemptsConnection(jobId, attempts, {}).edges[number - 1]!.cursor;

  it("goes forward and back without gap or repeat", () => {
    expect(page({})).toEqual({ numbers: [1, 2, 3, 4, 5], hasNextPage: false, hasPreviousPage: false });
    expect(page({ first: 2 })).toEqual({ numbers: [1, 2], hasNextPage: true, hasPreviousPage: false });
    expect(page({ first: 2, after: cursorOf(2) })).toEqual({
      numbers: [3, 4],
      hasNextPage: true,
      hasPreviousPage: true,
    });
    expect(page({ last: 2 })).toEqual({ numbers: [4, 5], hasNextPage: false, hasPreviousPage: true });
    expect(page({ last: 2, before: cursorOf(3) })).toEqual({
      numbers: [1, 2],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(page({ first: 0 })).toEqual({ numbers: [], hasNextPage: true, hasPreviousPage: false });
  });
});
