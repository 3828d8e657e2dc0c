/** Who is given a token for a job, for which job and for how long. What it is good for then is in job-tokens.test.ts. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { wallClock } from "../../src/runtime/clock.ts";
import { jobTokenSigner } from "../../src/server/auth/job-tokens.ts";
import { decodeId } from "../../src/store/ids.ts";
import { refusalOf } from "../support/api-client.ts";
import { apiConfig, jobTokenSecret, tokens } from "../support/api-config.ts";
import { newJob, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { transports } from "../support/api-streams.ts";
import { captureLog } from "../support/capture-log.ts";
import { mint } from "../support/job-token.ts";
import { type Snapshot, snapshotTables } from "../support/snapshot-tables.ts";

const everyRole = { token: "token-of-somebody-with-every-role", ownerId: "eve", roles: ["OWNER", "OPERATOR"] } as const;
const config = { ...apiConfig, auth: { ...apiConfig.auth, tokens: [...apiConfig.auth!.tokens!, everyRole] } };
const nobodys = "job_01h455vb4pex5vsknk084sn02q";

const { log, expectSilence } = captureLog();
let server: ApiServer;
let jobId: string;
let before: Snapshot;
beforeAll(async () => {
  server = await startApiServer({ config, log });
  jobId = (await newJob(server)).id;
  before = await snapshotTables(server.sql);
});
afterEach(expectSilence);
afterAll(() => server.stop());

async function expectNothingWritten(): Promise<void> {
  expect(await snapshotTables(server.sql)).toEqual(before);
}

describe("createJobToken", () => {
  afterEach(expectNothingWritten);

  it("lasts as long as was asked for, a quarter of an hour by default, and writes nothing", async () => {
    for (const [asked, seconds] of [
      [{}, 900],
      [{ expiresInSeconds: 60 }, 60],
      [{ expiresInSeconds: 86_400 }, 86_400],
    ] as const) {
      const earliest = wallClock().getTime() + (seconds - 1) * 1_000;
      const expiresAt = Date.parse((await mint(server, jobId, asked)).expiresAt);
      expect(expiresAt).toBeGreaterThan(earliest);
      expect(expiresAt).toBeLessThanOrEqual(wallClock().getTime() + seconds * 1_000);
    }
  });

  it.each([59, 0, -1, 86_401])("refuses a life of %i seconds as InvalidInput", async (expiresInSeconds) => {
    const answer = await server.ann.send("create-job-token", { jobId, expiresInSeconds });
    expect(answer).toMatchObject({ __typename: "InvalidInput", issues: [{ path: "/expiresInSeconds" }] });
    expect(answer.token).toBeUndefined();
  });

  it("is NotFound for another owner's job, for none and for what is no id, in the same words", async () => {
    const said = [jobId, nobodys, "", "att_01h455vb4pex5vsknk084sn02q"].map((id) =>
      server.as("bob").send("create-job-token", { jobId: id }),
    );
    const answers = await Promise.all(said);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ __typename: "NotFound", code: "NOT_FOUND" });
  });

  it.each(["operator", "worker"] as const)("is FORBIDDEN to the %s, who owns no jobs", async (caller) => {
    expect((await refusalOf(server.as(caller).send("create-job-token", { jobId }))).code).toBe("FORBIDDEN");
  });

  it("is NotFound for another owner's job to an owner who is an operator as well: nobody speaks in another's name", async () => {
    const answer = await server.as(everyRole).send("create-job-token", { jobId });
    expect(answer).toMatchObject({ __typename: "NotFound" });
  });

  it("is FORBIDDEN to a token for the job: it begets no others", async () => {
    const browser = server.as(await mint(server, jobId, { mayRetry: true, mayCancel: true }));
    expect((await refusalOf(browser.send("create-job-token", { jobId }))).code).toBe("FORBIDDEN");
  });

  it("is UNAUTHENTICATED without a token", async () => {
    expect((await refusalOf(server.as(null).send("create-job-token", { jobId }))).code).toBe("UNAUTHENTICATED");
  });
});

it("a token for a closed job shows its end", async () => {
  const done = await reach(server, "SUCCEEDED");
  const browser = server.as(await mint(server, done.jobId));
  expect((await browser.job(done.jobId)).result).toEqual({ pages: 1 });
});

describe("without auth.jobTokens", () => {
  let bare: ApiServer;
  let token: string;
  beforeAll(async () => {
    token = (await mint(server, jobId)).token;
    const { databaseUrl } = server;
    bare = await startApiServer({ config: { ...config, auth: { tokens: config.auth.tokens } }, log, databaseUrl });
  });
  afterAll(() => bare.stop());

  it("createJobToken says what to configure", async () => {
    const { code, message } = await refusalOf(bare.ann.send("create-job-token", { jobId }));
    expect(code).toBe("JOB_TOKENS_NOT_CONFIGURED");
    expect(message).toContain("auth.jobTokens.secret");
    expect((await refusalOf(bare.worker.api.send("create-job-token", { jobId }))).code).toBe("FORBIDDEN");
  });

  it("a token from elsewhere is not known", async () => {
    expect((await refusalOf(bare.as({ token }).jobOrNull(jobId))).code).toBe("UNAUTHENTICATED");
    expect(await bare.as({ token: tokens.ann }).jobOrNull(jobId)).toMatchObject({ id: jobId });
  });
});

it("another server with the same secret knows the token", async () => {
  const { token } = await mint(server, jobId);
  const other = await startApiServer({ config, log, databaseUrl: server.databaseUrl });
  expect(await other.as({ token }).jobOrNull(jobId)).toMatchObject({ id: jobId });
  await other.stop();
});

describe.each(transports)("over %s", (_name, connect) => {
  const sign = (secret: string, expiresInSeconds: number) =>
    jobTokenSigner({ secrets: [secret] })({
      ownerId: "ann",
      job: { jobId: decodeId("job", jobId)!, mayRetry: true, mayCancel: true },
      expiresInSeconds,
    });

  it.each<[string, () => Promise<{ readonly token: string }>]>([
    ["that has expired", () => sign(jobTokenSecret, 0)],
    ["that another secret has signed", () => sign(tokens.ann.repeat(2), 900)],
    ["that was changed", async () => ({ token: (await sign(jobTokenSecret, 900)).token.replace(".", ".e") })],
  ])("a token %s is told nothing", async (_what, made) => {
    const { token } = await made();
    expect((await refusalOf(server.as({ token }).jobOrNull(jobId))).status).toBe(401);
    const streams = connect(server.url, { token });
    const stream = streams.open("job-updated", { id: jobId });
    await stream.ends();
    expect({ seen: stream.seen, refusals: stream.errors.length }).toEqual({ seen: [], refusals: 1 });
    streams.close();
  });
});
