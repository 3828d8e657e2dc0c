/**
 * The register of the contract's tests: each part of the contract is one file's of this folder, or stands in the list of
 * exceptions. That a file has a test for each of its parts, and that each test has shown its part, the files prove themselves.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exceptions } from "../../support/contract-exceptions.ts";
import { partsOf, partsOfClaim, sightsOf, typesWithParts } from "../../support/contract-parts.ts";
import { noteSightings } from "../../support/contract-sightings.ts";

/** What the file says to promisesOf; it says so in plain text. */
function claimsIn(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const [, given = ""] = /promisesOf\(([^;]*?)\);/s.exec(text) ?? [];
  return [...given.matchAll(/"([^"]+)"/g)].map(([, claim = ""]) => claim);
}

const files = readdirSync(import.meta.dirname).filter((file) => file !== "register.test.ts");
const parts = typesWithParts().flatMap(partsOf);

it("each part of the contract is the matter of exactly one file, or an exception", () => {
  const claimed = files.flatMap(claimsIn).flatMap(partsOfClaim);
  const unclaimed = parts.filter((part) => !claimed.includes(part) && !exceptions.has(part));
  expect(unclaimed, "give each a test in test/api/contract").toEqual([]);
  expect(claimed.toSorted()).toEqual([...new Set(claimed)].toSorted());
});

it("each file claims something", () => {
  expect(files.filter((file) => claimsIn(file).length === 0)).toEqual([]);
});

it("the exceptions are parts of the contract, each with a reason", () => {
  const sights = parts.flatMap(sightsOf);
  expect([...exceptions.keys()].filter((part) => !sights.includes(part))).toEqual([]);
  expect([...exceptions.values()].filter((reason) => reason.length < 20)).toEqual([]);
});

describe("what an exchange shows", () => {
  const seenIn = (document: string, data: object, variables: object = {}) => {
    const seen = new Set<string>();
    noteSightings(seen, { document, variables: { ...variables }, data: { ...data } });
    return [...seen].toSorted();
  };

  it("is a field's value or its null, apart, and nothing of a field that did not come", () => {
    const document = "{ viewer { ownerId } job(id: 1) { result input closedAt } }";
    const seen = seenIn(document, { viewer: { ownerId: "ann" }, job: { result: null, input: 0 } });
    const shown = ["Job.input", "Job.result null", "Query.job", "Query.job(id:)", "Query.viewer", "Viewer.ownerId"];
    expect(seen).toEqual(shown);
  });

  it("is nothing of an empty list, and the enum values of one with entries", () => {
    expect(seenIn("{ viewer { roles } }", { viewer: { roles: [] } })).toEqual(["Query.viewer"]);
    const shown = ["Query.viewer", "Role.OWNER", "Viewer.roles"];
    expect(seenIn("{ viewer { roles } }", { viewer: { roles: ["OWNER"] } })).toEqual(shown);
  });

  it("is the member of a union, with the fields of its own type and of the interface that was asked for", () => {
    const document = `mutation ($input: CancelJobInput!) { cancelJob(input: $input) { __typename
      ... on UserError { code } ... on JobClosed { job { id } } ... on NotFound { message } } }`;
    const data = { cancelJob: { __typename: "JobClosed", code: "JOB_CLOSED", job: { id: "job_1" } } };
    expect(seenIn(document, data, { input: { jobId: "job_1", reason: null } })).toEqual([
      "CancelJobInput.jobId",
      "CancelJobResult = JobClosed",
      "ErrorCode.JOB_CLOSED",
      "Job.id",
      "JobClosed.code",
      "JobClosed.job",
      "Mutation.cancelJob",
      "Mutation.cancelJob(input:)",
      "UserError.code",
    ]);
  });

  it("is what was given in literals and in variables, and not what was left null", () => {
    const document = "query ($f: JobFilter, $n: Int) { jobs(filter: $f, first: $n, last: 3) { totalCount } }";
    const seen = seenIn(document, { jobs: { totalCount: 1 } }, { f: { states: ["FAILED"], operation: null }, n: null });
    expect(seen).toEqual([
      "JobConnection.totalCount",
      "JobFilter.states",
      "JobState.FAILED",
      "Query.jobs",
      "Query.jobs(filter:)",
      "Query.jobs(last:)",
    ]);
    const literal = "{ jobs(filter: { states: [QUEUED], provider: null }) { totalCount } }";
    expect(seenIn(literal, { jobs: { totalCount: 1 } })).toContain("JobState.QUEUED");
    expect(seenIn(literal, { jobs: { totalCount: 1 } })).not.toContain("JobFilter.provider");
  });
});
