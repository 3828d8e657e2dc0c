/** JSON Web Tokens under a secret: who is recognised, and why others are not. Keys of an issuer are in jwt-key-set.test.ts. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { jwtAuthenticator } from "../../../src/server/auth/jwt-authenticator.ts";
import { readJwt } from "../../../src/server/config/read-jwt.ts";
import { captureLog } from "../../support/capture-log.ts";
import { type Claims, claimsWith, forged, jwtSecret, secondsFromNow, signed } from "../../support/jwt-kit.ts";

const { log } = captureLog();

function authenticatorFor(definition: object = {}) {
  const settings = readJwt({ secret: jwtSecret, ...definition }, (where, what) => {
    throw new Error(`${where} ${what}`);
  });
  return jwtAuthenticator(settings!, log);
}
const authenticator = authenticatorFor();
const recognise = (token: string, by = authenticator) => by.recognise(`Bearer ${token}`);

describe("a token under the secret", () => {
  it("stands for its subject, with its roles, until it ends and the clocks may differ no more", async () => {
    const exp = secondsFromNow(60);
    expect(await recognise(await signed({ exp }))).toEqual({
      ownerId: "ann",
      roles: new Set(["OWNER"]),
      providers: [],
      expiresAt: new Date((exp + 30) * 1_000),
      onlyJob: null,
    });
  });

  it.each([
    [
      ["OWNER", "OPERATOR"],
      ["OWNER", "OPERATOR"],
    ],
    ["WORKER OWNER", ["OWNER", "WORKER"]],
    [["owner", "KING", 7, null, "WORKER"], ["WORKER"]],
    ["", []],
    [undefined, []],
    [{ OWNER: true }, []],
    [42, []],
  ])("whose roles are %j has %j", async (roles, expected) => {
    expect(await recognise(await signed({ roles }))).toMatchObject({ roles: new Set(expected) });
  });

  it.each([
    [
      ["inkjet", "gone"],
      ["inkjet", "gone"],
    ],
    ["inkjet laser", ["inkjet", "laser"]],
    [undefined, []],
    [null, []],
  ])("whose providers are %j works for %j, never for all by silence", async (providers, expected) => {
    expect(await recognise(await signed({ providers }))).toMatchObject({ providers: expected });
  });

  it("may have its roles and providers under other names", async () => {
    const named = authenticatorFor({ rolesClaim: "https://example.com/roles", providersClaim: "printers" });
    const claims = { "https://example.com/roles": "WORKER", printers: ["laser"], roles: ["OPERATOR"] };
    expect(await recognise(await signed(claims), named)).toMatchObject({
      roles: new Set(["WORKER"]),
      providers: ["laser"],
    });
    const inherited = authenticatorFor({ rolesClaim: "toString" });
    expect(await recognise(await signed(), inherited)).toMatchObject({ roles: new Set() });
  });

  it("is taken under any of several secrets, so that one may follow another", async () => {
    const next = randomBytes(48).toString("base64");
    const both = authenticatorFor({ secret: [next, jwtSecret] });
    for (const secret of [next, jwtSecret])
      expect(await recognise(await signed({}, secret), both)).toMatchObject({ ownerId: "ann" });
    expect(await recognise(await signed({}, jwtSecret), authenticatorFor({ secret: next }))).toEqual({
      reason: "wrong-token",
    });
    expect(await recognise(await signed({ exp: 1 }), both)).toEqual({ reason: "expired" });
  });

  it("that ends beyond all dates is taken", async () => {
    const last = new Date(8_640_000_000_000_000);
    expect(await recognise(await signed({ exp: 1e300 }))).toMatchObject({ expiresAt: last });
  });
});

describe("clocks that differ by as much as is allowed and no more", () => {
  const tolerant = authenticatorFor({ clockToleranceSeconds: 60 });
  // Far enough from the edge that no slow machine crosses it.
  it.each([
    ["ended within it", { exp: secondsFromNow(-30) }, { ownerId: "ann" }],
    ["ended before it", { exp: secondsFromNow(-61) }, { reason: "expired" }],
    ["begins within it", { nbf: secondsFromNow(60) }, { ownerId: "ann" }],
    ["begins after it", { nbf: secondsFromNow(120) }, { reason: "not-yet-valid" }],
  ])("a token that %s", async (_what, claims, expected) => {
    expect(await recognise(await signed(claims), tolerant)).toMatchObject(expected);
  });

  it("do not differ at all where nothing is allowed", async () => {
    const strict = authenticatorFor({ clockToleranceSeconds: 0 });
    expect(await recognise(await signed({ exp: secondsFromNow(0) }), strict)).toEqual({ reason: "expired" });
  });
});

describe("nobody is recognised by", () => {
  const missing = (claim: string) => ({ reason: "missing-claim", claim });
  const unfit = (claim: string) => ({ reason: "unfit-claim", claim });
  it.each<[string, Claims, object]>([
    ["no subject", { sub: undefined }, missing("sub")],
    ["no end", { exp: undefined }, missing("exp")],
    ["an end that is no number", { exp: "soon" }, unfit("exp")],
    ["a beginning that is no number", { nbf: "soon" }, unfit("nbf")],
    ["an empty subject", { sub: "" }, unfit("sub")],
    ["a subject of 256 characters", { sub: "x".repeat(256) }, unfit("sub")],
    ["a subject with NUL", { sub: "a\0b" }, unfit("sub")],
    ["a subject that is half a character", { sub: "\ud800" }, unfit("sub")],
    ["a subject that is no text", { sub: 7 }, unfit("sub")],
    ["the server's own name", { sub: "onejob" }, unfit("sub")],
  ])("%s", async (_what, claims, expected) => {
    expect(await recognise(await signed(claims))).toEqual(expected);
  });

  const named = authenticatorFor({ issuer: "https://issuer.example", audience: ["onejob", "print-shop"] });
  it.each<[string, Claims, object]>([
    ["another audience", { iss: "https://issuer.example", aud: ["elsewhere"] }, { reason: "wrong-audience" }],
    ["another issuer", { iss: "https://evil.example", aud: "onejob" }, { reason: "wrong-issuer" }],
    ["no audience", { iss: "https://issuer.example" }, missing("aud")],
    ["no issuer", { aud: "onejob" }, missing("iss")],
    ["the right ones", { iss: "https://issuer.example", aud: ["x", "print-shop"] }, { ownerId: "ann" }],
  ])("%s, where they are configured", async (_what, claims, expected) => {
    expect(await recognise(await signed(claims), named)).toMatchObject(expected);
  });

  const good = forged({ alg: "HS256" }, claimsWith());
  it.each([
    ["alg none", forged({ alg: "none" }, claimsWith())],
    ["no signature", good],
    ["a signature of nobody", `${good}${randomBytes(32).toString("base64url")}`],
    ["an unknown critical header", forged({ alg: "HS256", crit: ["exp"], exp: 1 }, claimsWith(), "AAAA")],
    ["claims that are no object", forged({ alg: "HS256" }, "ann", "AAAA")],
    ["a header that is none", "e30.e30.e30"],
    ["two dots", ".."],
    ["a token of five parts", "a.b.c.d.e"],
    ["a token of 20,000 characters", "x".repeat(20_000)],
    ["no token at all", "not-a-jwt-at-all"],
  ])("%s", async (_what, token) => {
    expect(await recognise(token)).toEqual({ reason: "wrong-token" });
  });

  it("another algorithm of the same secret", async () => {
    expect(await recognise(await signed({}, jwtSecret, { alg: "HS512" }))).toEqual({ reason: "wrong-token" });
  });

  it("an honest token that is longer than any should be", async () => {
    expect(await recognise(await signed({ roles: "x ".repeat(10_000) }))).toEqual({
      reason: "wrong-token",
    });
  });

  it("an expired token with a wrong signature, without a word about its claims", async () => {
    expect(await recognise(await signed({ exp: 1 }, "x".repeat(40)))).toEqual({ reason: "wrong-token" });
  });
});
