/** What a browser sees of the configuration through its job: nothing, also where its owner follows the same job beside it. */
import { type GraphQLObjectType, getNamedType, isLeafType, isRequiredArgument } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";
import type { Api } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Streams, transports } from "../support/api-streams.ts";
import { certify } from "../support/certify.ts";
import { everyRight, mint } from "../support/job-token.ts";

const schema = buildOnejobSchema();

/** Every field that can be asked for without an argument, down to so many levels; each object with its type. */
function everything(typeName: string, levels: number): string {
  const fields = Object.values((schema.getType(typeName) as GraphQLObjectType).getFields());
  const asked = fields.flatMap(({ name, args, type }) => {
    const named = getNamedType(type);
    if (args.some(isRequiredArgument)) return [];
    if (isLeafType(named)) return [name];
    return levels === 1 ? [] : [`${name} ${everything(named.name, levels - 1)}`];
  });
  return `{ __typename ${asked.join(" ")} }`;
}

function typesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (typeof value !== "object" || value === null) return [];
  const { __typename: own, ...fields } = value as { readonly __typename?: string };
  return [...(own === undefined ? [] : [own]), ...Object.values(fields).flatMap(typesIn)];
}

const ofJob = ["Attempt", "AttemptConnection", "AttemptEdge", "Failure", "Job", "JobEvent", "PageInfo"];
const ofConfiguration = ["Certification", "Operation", "Provider"];

let server: ApiServer;
/** Its second attempt is on the laser, by a certification. */
let jobId: string;
let lastAttemptId: string;
let browser: Api;

beforeAll(async () => {
  server = await startApiServer();
  const { operations } = await server.ann.ask<{ operations: { name: string; contractDigest: string }[] }>(
    "{ operations { name contractDigest } }",
  );
  const contractDigest = operations.find(({ name }) => name === "print")!.contractDigest;
  const certificationId = await certify(server.sql, { contractDigest });
  await server.sql`insert into certification_checks (certification_id, ordinal, code, passed, runs, failures)
    values (${certificationId}, 1, 'output.schema', false, 3, 1)`;
  jobId = (await newJob(server)).id;
  const failed = await (await server.worker.take(jobId)).fail("DEFINITE", { remedy: "NONE" });
  const retried = await server.ann.retry(jobId, failed.attempt!.id, { provider: "laser" });
  await (await server.worker.take(jobId)).fail("DEFINITE", { remedy: "NONE" });
  lastAttemptId = retried.attempt!.id;
  browser = server.as(await mint(server, jobId, everyRight));
});
afterAll(() => server.stop());

describe("all that can be asked for beneath the job", () => {
  const document = `query ($id: ID!) { job(id: $id) ${everything("Job", 4)} }`;
  const typesFor = async (api: Api) => [...new Set(typesIn(await api.ask(document, { id: jobId })))].toSorted();

  it("is the job's own to a browser, and leads into the configuration for the owner", async () => {
    const ownTypes = await typesFor(server.ann);
    expect(ownTypes).toEqual(expect.arrayContaining([...ofJob, ...ofConfiguration]));
    expect(await typesFor(browser)).toEqual(ofJob);
  });
});

describe("live", () => {
  const attempt = "{ provider { revision } certification { id } job { operation { contractDigest } } }";
  const job = `{ operation { contractDigest } provider { revision } latestAttempt ${attempt} }`;
  const subscriptions = [
    `subscription ($jobId: ID!) { jobUpdated(id: $jobId) ${job} }`,
    `subscription ($jobId: ID!) { jobEvents(jobId: $jobId, after: 1) { job ${job} attempt ${attempt} } }`,
    `subscription ($jobId: ID!) { attemptUpdated(jobId: $jobId) ${attempt} }`,
  ];

  async function follow(streams: Streams, document: string): Promise<string> {
    const stream = streams.open(document, { jobId });
    const text = JSON.stringify((await stream.sees(1))[0]);
    stream.stop();
    return text;
  }

  it.each(transports)(
    "a browser sees null over %s, before and after its owner looks at the same",
    async (_, connect) => {
      const [ann, guest] = [connect(server.url, "ann"), connect(server.url, await mint(server, jobId))];
      // All the while somebody of each kind follows, so that both are shown the same snapshot.
      for (const streams of [guest, ann]) await streams.open("job-events", { jobId, after: 0 }).sees(1);
      for (const document of subscriptions) {
        const before = await follow(guest, document);
        expect(await follow(ann, document)).toMatch(/"contractDigest":"\w+"/);
        const after = await follow(guest, document);
        for (const seen of [before, after]) {
          expect(seen).not.toMatch(/contractDigest|revision|cert_/);
          expect(seen).toContain('"operation":null');
        }
      }
      for (const streams of [guest, ann]) streams.close();
    },
  );
});

describe("the refusal of a provider that is not certified", () => {
  const refused = `mutation ($input: RetryJobInput!) { retryJob(input: $input) { __typename
    ... on ProviderNotCertified { code reason provider ${everything("Provider", 3)}
      certification { id } failedChecks { code } } } }`;

  it("names the provider to a browser, and says nothing more of it", async () => {
    await server.operator.send("pause-provider", { provider: "laser", reason: "out of paper" });
    await server.sql`update certifications set status = 'REVOKED', revoked_at = onejob_now(), revoked_by = 'olga'
      where provider = 'laser'`;
    const input = { jobId, afterAttemptId: lastAttemptId, provider: "laser" };
    const [seen, own] = [await browser.ask(refused, { input }), await server.ann.ask(refused, { input })];
    const hidden = { description: null, operations: [], revision: "", pausedAt: null, pauseReason: null };
    expect(seen).toEqual({
      retryJob: {
        __typename: "ProviderNotCertified",
        code: "PROVIDER_NOT_CERTIFIED",
        reason: "REVOKED",
        provider: { __typename: "Provider", id: "prov_laser", name: "laser", ...hidden },
        certification: null,
        failedChecks: [],
      },
    });
    expect(own).toMatchObject({
      retryJob: {
        provider: { revision: "1", pauseReason: "out of paper" },
        certification: {},
        failedChecks: [{ code: "output.schema" }],
      },
    });
    expect((await browser.job(jobId)).viewerCanRetry).toBe(false);
  });
});
