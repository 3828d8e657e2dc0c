/** Cursors and keys in a stranger's hands: a position is no right to see something, and a key is its owner's alone (I11). */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { positionCursor } from "../../../src/graphql/cursors.ts";
import { newId } from "../../../src/store/ids.ts";
import { type Api, refusalOf } from "../../support/api-client.ts";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { annsOwnerId, isolationConfig } from "../../support/isolation-config.ts";
import { secret, secretsIn } from "../../support/isolation-secrets.ts";

interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly ownedBy: { readonly id: string } };
}

let server: ApiServer;
let bob: Api;
/** Newest first: bob's and ann's in turn, two of each. */
let ids: readonly string[];

async function create(api: Api, key: string, text: string) {
  return api.create({ idempotencyKey: key, operation: "paper", input: { text }, metadata: { note: secret("note") } });
}

beforeAll(async () => {
  server = await startApiServer({ config: isolationConfig });
  bob = server.as("bob");
  const made: string[] = [];
  for (const api of [server.ann, bob, server.ann, bob]) {
    made.unshift((await create(api, randomUUID(), "Menu")).job!.id);
    // Two jobs of one millisecond would be in the order of their ids, and which is the lower one is not the test's to say.
    await server.sql`select pg_sleep(0.002)`;
  }
  ids = made;
});
afterAll(() => server.stop());

const lists = { jobs: "ownedBy: latestAttempt { id }", attempts: "ownedBy: job { id }" } as const;
type List = keyof typeof lists;

async function edgesOf(api: Api, list: List, page: string): Promise<readonly Edge[]> {
  const document = `{ ${list}(${page}) { edges { cursor node { id ${lists[list]} } } } }`;
  return (await api.ask<Record<string, { edges: readonly Edge[] }>>(document))[list]!.edges;
}

async function jobIdsOf(api: Api, list: List, page: string): Promise<readonly string[]> {
  const edges = await edgesOf(api, list, page);
  return edges.map(({ node }) => (list === "jobs" ? node.id : node.ownedBy.id));
}

describe("a cursor of another owner's", () => {
  it.each(["jobs", "attempts"] as const)("is a place in one's own list of %s, and no more", async (list) => {
    const anns = await edgesOf(server.ann, list, "first: 10");
    const [bobsNewer = "", annsNewer, bobsOlder = "", annsOlder] = ids;
    const cursorOf = (jobId: string | undefined) =>
      JSON.stringify(anns.find(({ node }) => [node.id, node.ownedBy.id].includes(jobId ?? ""))?.cursor);
    expect(await jobIdsOf(bob, list, `first: 10, after: ${cursorOf(annsNewer)}`)).toEqual([bobsOlder]);
    expect(await jobIdsOf(bob, list, `first: 10, before: ${cursorOf(annsNewer)}`)).toEqual([bobsNewer]);
    expect(await jobIdsOf(bob, list, `last: 10, before: ${cursorOf(annsOlder)}`)).toEqual([bobsNewer, bobsOlder]);
    expect(await jobIdsOf(bob, list, `first: 10, after: ${cursorOf(annsOlder)}`)).toEqual([]);
  });

  it("of her job's attempts is refused at one's own job", async () => {
    const document =
      "query ($id: ID!, $after: String) { job(id: $id) { attempts(after: $after) { nodes { id } pageInfo { endCursor } } } }";
    interface Listed {
      readonly job: { readonly attempts: { readonly pageInfo: { readonly endCursor: string } } };
    }
    const { job } = await server.ann.ask<Listed>(document, { id: ids[1] });
    const refusal = await refusalOf(bob.ask(document, { id: ids[0], after: job.attempts.pageInfo.endCursor }));
    expect(refusal.code).toBe("BAD_USER_INPUT");
  });
});

describe("a cursor that was tampered with", () => {
  const at = new Date("2026-03-01T09:30:00.007Z");
  const encode = (text: string) => Buffer.from(text).toString("base64url");
  it.each([
    ["of another list", positionCursor("attempts", "att", { at, id: newId() })],
    ["of the audit log", positionCursor("auditLog", "audit", { at, id: newId() })],
    ["with another kind of id", encode(`jobs ${at.toISOString()} att_01h455vb4pex5vsknk084sn02q`)],
    ["with a UUID", encode(`jobs ${at.toISOString()} 01890a5d-ac96-774b-bcce-b302099a8057`)],
    ["with SQL in its id", encode(`jobs ${at.toISOString()} job_01h455vb4pex5vsknk084sn02q'or'1'='1`)],
    ["with SQL in its instant", encode("jobs now()) job_01h455vb4pex5vsknk084sn02q")],
    ["of 100,000 characters", encode(`jobs ${"x".repeat(75_000)}`)],
    ["of JSON", encode('{"ownerId":"ann"}')],
  ])("%s is BAD_USER_INPUT", async (_what, cursor) => {
    for (const side of ["after", "before"]) {
      const refusal = await refusalOf(
        bob.ask(`query ($c: String) { jobs(${side}: $c) { nodes { id } } }`, { c: cursor }),
      );
      expect(refusal.code, side).toBe("BAD_USER_INPUT");
    }
  });

  it("in any one character is refused, or is another place in the same list", async () => {
    const [first] = await edgesOf(server.ann, "jobs", "first: 1");
    const cursor = first?.cursor ?? "";
    const own = [ids[0], ids[2]];
    const tampered = [...cursor].map(
      (one, index) => `${cursor.slice(0, index)}${one === "A" ? "B" : "A"}${cursor.slice(index + 1)}`,
    );
    const asked = tampered.map(async (after) => {
      const call = jobIdsOf(bob, "jobs", `first: 10, after: ${JSON.stringify(after)}`);
      const rows = await call.catch(async () =>
        (await refusalOf(call)).code === "BAD_USER_INPUT" ? [] : ["another error"],
      );
      return rows.filter((id) => !own.includes(id));
    });
    expect((await Promise.all(asked)).flat()).toEqual([]);
  });
});

describe("another owner's key", () => {
  it("records a job of one's own, whether the intent is the same or not, and neither sees a conflict", async () => {
    const [same, different] = [secret("key-same"), secret("key-different")];
    const hers = [await create(server.ann, same, "Menu"), await create(server.ann, different, secret("input"))];
    for (const [index, key] of [same, different].entries()) {
      const created = await create(bob, key, "Menu");
      expect(created).toMatchObject({ __typename: "CreateJobSuccess", created: true, job: { version: 1 } });
      expect(created.job?.id).not.toBe(hers[index]?.job?.id);
      expect((await create(bob, key, "Menu")).job?.id).toBe(created.job?.id);
      const found = await bob.ask<{ jobByKey: { id: string } }>(
        "query ($k: String!) { jobByKey(idempotencyKey: $k) { id } }",
        { k: key },
      );
      expect(found.jobByKey.id).toBe(created.job?.id);
    }
    expect(await create(server.ann, same, "Menu")).toMatchObject({ created: false, job: { id: hers[0]?.job?.id } });
  });

  it("tells in a conflict of one's own where one's own intents differ, never from hers", async () => {
    const key = secret("key-conflict");
    await server.ann.create({ idempotencyKey: key, operation: "paper", input: { [secret("name")]: 1 } });
    await bob.create({ idempotencyKey: key, operation: "paper", input: { text: "Menu" } });
    const conflict = await bob.create({ idempotencyKey: key, operation: "paper", input: { text: "Bill" } });
    expect(conflict).toMatchObject({ __typename: "IdempotencyConflict", differences: ["/input/text"] });
    expect(secretsIn(JSON.stringify(conflict))).toEqual(["key-conflict"]);
  });

  it("is not looked up: her owner id is refused like one that never was", async () => {
    const ask = (ownerId: string) =>
      refusalOf(
        bob.ask("query ($k: String!, $o: String) { jobByKey(idempotencyKey: $k, ownerId: $o) { id } }", {
          k: secret("key-same"),
          o: ownerId,
        }),
      );
    const hers = await ask(annsOwnerId);
    expect(hers.code).toBe("FORBIDDEN");
    expect(hers).toEqual(await ask("nobody"));
  });
});
