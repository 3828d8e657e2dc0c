/** What the check against the last release lets pass and what it refuses, and what may be put on record. Schemas are small ones made for it. */
import { describe, expect, it } from "vitest";
import { judgePublishing, judgeRecording, judgeSchema } from "../../scripts/released-schema/judge.ts";
import {
  newestInChangelog,
  noRelease,
  type Repository,
  readRelease,
  writeRelease,
} from "../../scripts/released-schema/record.ts";

const released = `
  type Query { job(id: ID!, first: Int! = 20): Job, jobs(filter: Filter): [Job!]! }
  type Job { id: ID!, state: State!, note: String }
  enum State { QUEUED DONE }
  input Filter { state: State, limit: Int! = 10 }
  union Found = Job | Nothing
  type Nothing { why: String }
  extend type Query { found: Found }
`;

function repository(version: string, recorded: string | null = "1.4.0", more: Partial<Repository> = {}): Repository {
  const release = recorded === null ? null : readRelease(writeRelease(recorded, released));
  return { version, newestInChangelog: recorded, release, ...more };
}

/** The released schema with one thing written differently. */
function changed(from: string, to: string): string {
  if (!released.includes(from)) throw new Error(`there is no ${from}`);
  return released.replace(from, to);
}

const withoutNote = changed(", note: String", "");

describe("against the last release, the check", () => {
  it.each([
    ["a field that is gone", withoutNote, "Job.note was removed: its validation refuses every document that asks for"],
    ["an answer of another type", changed("note: String", "note: Int"), "Job.note changed type from String to Int: "],
    ["an answer that may be null now", changed("state: State!,", "state: State,"), "from State! to State: "],
    [
      "a value that is gone",
      changed("QUEUED DONE", "DONE"),
      "QUEUED was removed from enum type State: callers that send",
    ],
    ["a member that is gone", changed("Job | Nothing", "Job"), "Nothing was removed from union type Found: "],
    ["an argument that is gone", changed(", first: Int! = 20", ""), "Query.job arg first was removed: "],
    [
      "a new required argument",
      changed("found: Found", "found(all: Boolean!): Found"),
      "all on Query.found was added: ",
    ],
    ["a new required input field", changed("limit:", "by: ID!, limit:"), "field by on input type Filter was added: "],
    [
      "an input field that has lost its default",
      changed("Int! = 10", "Int!"),
      "Filter.limit has lost its default 10 and is",
    ],
    [
      "an argument that has lost its default",
      changed("Int! = 20", "Int!"),
      "Query.job(first:) has lost its default 20 and is",
    ],
  ])("refuses %s, and says whom it breaks", (_what, schema, sentence) => {
    const { ok, lines } = judgeSchema(repository("1.9.3"), schema);
    expect(ok).toBe(false);
    expect(lines.filter((line) => line.includes(sentence))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/raise the version in package\.json to 2\.0\.0 at least\.$/);
  });

  it.each([
    ["a new value", changed("QUEUED DONE", "QUEUED DONE LOST"), "clients whose code knows every value meet one more"],
    ["a new member", `${released} extend union Found = Query`, "clients whose code knows every member meet one more"],
    ["another default of an argument", changed("Int! = 20", "Int! = 30"), "from 20 to 30: callers that leave it out"],
    ["another default of an input field", changed("Int! = 10", "Int! = 5"), "from 10 to 5: callers that leave it out"],
  ])("lets %s pass, and says whom it may surprise", (_what, schema, sentence) => {
    const { ok, lines } = judgeSchema(repository("1.4.0"), schema);
    expect(ok).toBe(true);
    expect(lines[1]).toBe("It may surprise:");
    expect(lines[2]).toContain(sentence);
  });

  it("has nothing to say of an addition", () => {
    expect(judgeSchema(repository("1.4.0"), changed("note: String", "note: String, more: Int"))).toEqual({
      ok: true,
      lines: ["The schema of 1.4.0 breaks nothing that 1.4.0 promised."],
    });
  });

  it.each([
    ["1.4.0", "1.5.0", false],
    ["1.4.0", "2.0.0", true],
    ["1.4.0", "2.0.0-rc.1", true],
    ["9.0.0", "10.0.0", true],
    ["0.1.9", "0.1.10", false],
    ["0.1.9", "0.2.0", true],
    ["0.9.0", "0.10.0", true],
    ["0.1.9", "1.0.0", true],
  ])("after %s, lets %s break what was promised: %s", (from, to, allowed) => {
    const { ok, lines } = judgeSchema(repository(to, from), withoutNote);
    expect(ok).toBe(allowed);
    expect(lines.join("\n")).toContain("Job.note was removed");
  });

  it("refuses a version that is older than the release", () => {
    for (const version of ["1.3.9", "0.9.0", "1.3.12"])
      expect(judgeSchema(repository(version), released).ok).toBe(false);
  });
});

describe("the record", () => {
  it("without a release says so, and the check says that it compared nothing", () => {
    const { ok, lines } = judgeSchema(repository("0.1.0", null), "type Query { other: Int }");
    expect(ok).toBe(true);
    expect(lines).toEqual([
      "No release is on record, so there is nothing to compare with: every change is still free.",
    ]);
  });

  it("is refused when it is empty, cut short or anything else", () => {
    const whole = writeRelease("1.4.0", released);
    for (const text of ["", "\n", "# No release yet", released, whole.split("\n")[0] ?? "", whole.slice(20)]) {
      expect(() => readRelease(text), text.slice(0, 30)).toThrow(/restore it/);
    }
    expect(readRelease(noRelease)).toBeNull();
    expect(readRelease(whole)).toEqual({ version: "1.4.0", schema: `${released.trim()}\n` });
  });

  it("names the release that the changelog names last, or the check fails", () => {
    const forgotten = judgeSchema(repository("1.5.0", "1.4.0", { newestInChangelog: "1.5.0" }), released);
    expect(forgotten).toMatchObject({ ok: false, lines: [expect.stringContaining("npm run schema:record")] });
    const never = judgeSchema(repository("0.1.0", null, { newestInChangelog: "0.1.0" }), released);
    expect(never).toMatchObject({ ok: false, lines: [expect.stringContaining("says that nothing was released")] });
    expect(judgeSchema(repository("1.4.0", "1.4.0", { newestInChangelog: null }), released).ok).toBe(false);
  });

  it("reads the last release from the changelog's headings", () => {
    expect(newestInChangelog("# Changelog\n\n## Unreleased\n\n### Added\n")).toBeNull();
    expect(newestInChangelog("## Unreleased\n\n## [1.10.0] - 2030-01-01\n\n## 1.9.0\n")).toBe("1.10.0");
    expect(newestInChangelog("## Unreleased\n\n## 2.0.0-rc.1 - 2030-01-01\n")).toBe("2.0.0-rc.1");
  });
});

describe("a version's schema", () => {
  const headed = (version: string, recorded: string | null) =>
    repository(version, recorded, { newestInChangelog: version });

  it("goes on record as the first, and as the next", () => {
    expect(judgeRecording(headed("0.1.0", null), released).ok).toBe(true);
    expect(judgeRecording(headed("1.5.0", "1.4.0"), changed("note: String", "note: String, more: Int")).ok).toBe(true);
    expect(judgeRecording(headed("2.0.0", "1.4.0"), withoutNote).ok).toBe(true);
  });

  it("does not replace another one of the same version; the same again is no fault", () => {
    const other = judgeRecording(headed("1.4.0", "1.4.0"), changed("note: String", "note: String, more: Int"));
    expect(other).toMatchObject({ ok: false, lines: [expect.stringContaining("on record with another schema")] });
    expect(judgeRecording(headed("1.4.0", "1.4.0"), released.trim()).ok).toBe(true);
  });

  it("does not go on record when it breaks what its number does not announce, is older, or has no heading in the changelog", () => {
    expect(judgeRecording(headed("1.5.0", "1.4.0"), withoutNote).ok).toBe(false);
    expect(judgeRecording(headed("1.3.0", "1.4.0"), released).ok).toBe(false);
    expect(judgeRecording(repository("1.5.0", "1.4.0"), released).ok).toBe(false);
    expect(judgeRecording(repository("0.1.0", null), released).ok).toBe(false);
  });

  it("is published only as it is on record", () => {
    expect(judgePublishing(headed("1.4.0", "1.4.0"), released.trim()).ok).toBe(true);
    expect(judgePublishing(headed("1.4.0", "1.4.0"), withoutNote).ok).toBe(false);
    expect(judgePublishing(headed("1.5.0", "1.4.0"), released).ok).toBe(false);
    expect(judgePublishing(headed("0.1.0", null), released).ok).toBe(false);
  });
});
