/** Which tokens are taken for tokens for one job. What they are let do is the API's business, and tested there. */
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { type Authenticator, firstOf } from "../../src/server/auth/authenticator.ts";
import { jobTokenAuthenticator, jobTokenKey, jobTokenSigner } from "../../src/server/auth/job-tokens.ts";
import { recogniseCaller } from "../../src/server/auth/recognise-caller.ts";
import { encodeId } from "../../src/store/ids.ts";

const secret = "Wd3v8sQx1ZbN5mKc7RyT0aLhGfJu9PeoXi4wY6Mk2nBv";
const former = "r5Hq0TzLx8Cn3VbG7dWk1MsPy9JfAe6uQoXi4wN2hRtE";
const foreign = "k9Jm4XcV7bQ2nZa5Ls8Dw1Fg6Hr3Ty0PeUo1iWq8RtYu";

const job = { jobId: "01890a5d-ac96-774b-bcce-b302099a8057", mayRetry: true, mayCancel: false };
const jobClaim = encodeId("job", job.jobId);
const authenticator = jobTokenAuthenticator({ secrets: [secret, former] });

function sign(by = secret, expiresInSeconds = 900) {
  return jobTokenSigner({ secrets: [by] })({ ownerId: "ann", job, expiresInSeconds });
}

const recognise = (token: string, by: Authenticator = authenticator) => by.recognise(`Bearer ${token}`);
const inAnHour = "1h";

/** A token with everything that one of ours has, but for what a test changes. */
function forge(change: (jwt: SignJWT) => SignJWT, claims: object = {}, header: object = {}) {
  const whole = new SignJWT({ job: jobClaim, may: ["retry"], ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "job+jwt", ...header })
    .setIssuer("onejob")
    .setAudience("onejob:job")
    .setSubject("ann")
    .setIssuedAt()
    .setExpirationTime(inAnHour);
  return change(whole).sign(jobTokenKey(secret));
}
const same = (jwt: SignJWT) => jwt;

describe("a token for one job", () => {
  it("stands for its owner without a role, for the job, for its rights and until its end", async () => {
    const { token, expiresAt } = await sign();
    expect(await recognise(token)).toEqual({
      ownerId: "ann",
      roles: new Set(),
      providers: null,
      expiresAt,
      onlyJob: job,
    });
  });

  it.each([
    [true, true],
    [false, true],
    [false, false],
  ])("keeps mayRetry %s and mayCancel %s", async (mayRetry, mayCancel) => {
    const asked = { ownerId: "ann", job: { ...job, mayRetry, mayCancel }, expiresInSeconds: 60 };
    const { token } = await jobTokenSigner({ secrets: [secret] })(asked);
    expect(await recognise(token)).toMatchObject({ onlyJob: { mayRetry, mayCancel } });
  });

  it("is signed by the first secret, and known by every one that is configured", async () => {
    const { token } = await jobTokenSigner({ secrets: [secret, former] })({
      ownerId: "ann",
      job,
      expiresInSeconds: 60,
    });
    expect(await recognise(token, jobTokenAuthenticator({ secrets: [secret] }))).toMatchObject({ ownerId: "ann" });
    expect(await recognise(token, jobTokenAuthenticator({ secrets: [former] }))).toEqual({ reason: "wrong-token" });
    expect(await recognise((await sign(former)).token)).toMatchObject({ ownerId: "ann" });
  });

  it("is known as expired from the second of its end, by whichever secret, and said so", async () => {
    for (const by of [secret, former]) {
      const { token } = await sign(by, 0);
      expect(await recognise(token)).toEqual({ reason: "expired" });
      await expect(recogniseCaller(authenticator, `Bearer ${token}`)).rejects.toThrow(
        expect.objectContaining({
          message: "Token expired: get a new one, and ask again with that.",
          extensions: expect.objectContaining({ code: "UNAUTHENTICATED" }),
        }),
      );
    }
  });

  it("is unknown when another secret has signed it, expired or not", async () => {
    for (const seconds of [900, -900])
      expect(await recognise((await sign(foreign, seconds)).token)).toEqual({ reason: "wrong-token" });
  });

  it("is unknown when its payload was changed, or its signature is gone", async () => {
    const [header = "", payload = "", signature = ""] = (await sign()).token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const more = (changes: object) => Buffer.from(JSON.stringify({ ...claims, ...changes })).toString("base64url");
    const unsecured = new UnsecuredJWT(claims as Record<string, unknown>).encode();
    const changed = [{ may: ["retry", "cancel"] }, { sub: "bob" }, { exp: 4_000_000_000 }].map(more);
    const tokens = [...changed, payload].map((body, index) => `${header}.${body}.${index < 3 ? signature : ""}`);
    for (const token of [...tokens, unsecured, `${header}.${payload}`, `${header}.${payload}.${signature}x`])
      expect(await recognise(token), token).toEqual({ reason: "wrong-token" });
  });

  it("forged like ours is known: so what follows is refused for its one change", async () => {
    expect(await recognise(await forge(same))).toMatchObject({ ownerId: "ann", onlyJob: job });
  });

  it.each<[string, Promise<string>]>([
    ["typ is another", forge(same, {}, { typ: "JWT" })],
    ["typ is missing", forge(same, {}, { typ: undefined })],
    ["issuer is another", forge((jwt) => jwt.setIssuer("https://id.example"))],
    ["audience is another", forge((jwt) => jwt.setAudience("onejob"))],
    ["subject is empty", forge((jwt) => jwt.setSubject(""))],
    ["job is missing", forge(same, { job: undefined })],
    ["job is no job's id", forge(same, { job: "att_01h455vb4pex5vsknk084sn02q" })],
    ["job is malformed", forge(same, { job: "job_1" })],
    ["may is missing", forge(same, { may: undefined })],
    ["may holds another right", forge(same, { may: ["retry", "override"] })],
  ])("is unknown when its %s", async (_what, token) => {
    expect(await recognise(await token)).toEqual({ reason: "wrong-token" });
  });
});

describe("an identity JWT", () => {
  /** As a provider of identities signs it, with the very secret; with all that a job token has, at its worst. */
  const signed = (key: Uint8Array) =>
    new SignJWT({ job: jobClaim, may: [], roles: ["OWNER"] })
      .setProtectedHeader({ alg: "HS256", typ: "job+jwt" })
      .setIssuer("onejob")
      .setAudience("onejob:job")
      .setSubject("ann")
      .setIssuedAt()
      .setExpirationTime(inAnHour)
      .sign(key);

  it("signed with the same secret is no job token, since that is signed with a key derived from it", async () => {
    expect(await recognise(await signed(new TextEncoder().encode(secret)))).toEqual({ reason: "wrong-token" });
    expect(await recognise(await signed(jobTokenKey(secret)))).toMatchObject({ ownerId: "ann" });
  });
});

describe("several authenticators as one", () => {
  const refusing = (reason: "wrong-token" | "expired"): Authenticator => ({
    isOpen: false,
    recognise: async () => ({ reason }),
  });

  it("recognise by the first that knows the token", async () => {
    const { token } = await sign();
    expect(await recognise(token, firstOf([refusing("expired"), authenticator]))).toMatchObject({ onlyJob: job });
    const other = jobTokenAuthenticator({ secrets: [foreign] });
    expect(await recognise(token, firstOf([other, refusing("wrong-token")]))).toEqual({ reason: "wrong-token" });
  });

  it("say that nothing was sent, that a token has expired, or else that it is not known", async () => {
    expect(await firstOf([authenticator]).recognise(null)).toEqual({ reason: "no-token" });
    for (const header of ["Basic x", "Bearer ", "Bearer a b"])
      expect(await firstOf([authenticator]).recognise(header)).toEqual({ reason: "wrong-token" });
    const both = [refusing("expired"), refusing("wrong-token")];
    for (const order of [both, both.toReversed()])
      expect(await firstOf(order).recognise("Bearer x")).toEqual({ reason: "expired" });
  });
});
