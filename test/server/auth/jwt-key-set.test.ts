/** JSON Web Tokens under the keys that an issuer publishes: their rotation, tokens that lie about their key, and an issuer that is away. */
import { exportSPKI, importJWK } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jwtAuthenticator } from "../../../src/server/auth/jwt-authenticator.ts";
import type { KeySetTimes } from "../../../src/server/auth/key-set.ts";
import { recogniseCaller } from "../../../src/server/auth/recognise-caller.ts";
import { readJwt } from "../../../src/server/config/read-jwt.ts";
import { createLog } from "../../../src/server/log.ts";
import {
  claimsWith,
  forged,
  type Issuer,
  type IssuerKey,
  issuerKey,
  signed,
  startIssuer,
} from "../../support/jwt-kit.ts";
import { waitUntil } from "../../support/wait-until.ts";

const asAnn = { ownerId: "ann", roles: new Set(["OWNER"]) };
const wrong = { reason: "wrong-token" };
const unavailable = { reason: "unavailable" };
/** No wait between two fetches, so that what a fetch changes is seen at once. */
const impatient: KeySetTimes = { cooldownMs: 0, restMs: 0 };

let first: IssuerKey;
let second: IssuerKey;
beforeAll(async () => {
  [first, second] = await Promise.all([issuerKey("key-1"), issuerKey("key-2")]);
});

let issuer: Issuer;
const lines: string[] = [];
const log = createLog({ level: "warn", format: "json", write: (line) => void lines.push(line) });
beforeEach(async () => {
  issuer = await startIssuer(first);
  lines.length = 0;
});
afterEach(() => issuer.close());

function open(times: KeySetTimes = impatient) {
  const definition = { jwksUrl: issuer.url, issuer: "https://issuer.example", audience: "onejob" };
  const settings = readJwt(definition, (where, what) => {
    throw new Error(`${where} ${what}`);
  });
  const authenticator = jwtAuthenticator(settings!, log, times);
  return Object.assign((token: string) => authenticator.recognise(`Bearer ${token}`), { authenticator });
}

describe("a token under a published key", () => {
  it.each(["RS256", "PS256", "ES256", "ES384", "EdDSA"])("is taken when it is signed by %s", async (alg) => {
    const key = await issuerKey("other", alg);
    issuer.keys = [first.jwk, key.jwk];
    expect(await open()(await key.sign())).toMatchObject(asAnn);
  });

  it("has the keys fetched once for many", async () => {
    const recognise = open();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => first.sign()));
    for (const seen of await Promise.all(tokens.map(recognise))) expect(seen).toMatchObject(asAnn);
    expect(issuer.fetches()).toBe(1);
  });

  it("made for another audience or by another issuer is refused", async () => {
    const recognise = open();
    expect(await recognise(await first.sign({ aud: "elsewhere" }))).toEqual({ reason: "wrong-audience" });
    expect(await recognise(await first.sign({ iss: "https://evil.example" }))).toEqual({ reason: "wrong-issuer" });
  });

  it("that names no key is tried with each that there is", async () => {
    issuer.keys = [first.jwk, second.jwk];
    const recognise = open();
    expect(await recognise(await second.sign({}, { kid: undefined }))).toMatchObject(asAnn);
    const stranger = await issuerKey("stranger");
    expect(await recognise(await stranger.sign({}, { kid: undefined }))).toEqual(wrong);
  });
});

describe("a new key of the issuer's", () => {
  it("is fetched when a token names it, and one that is withdrawn goes with the next fetch", async () => {
    const recognise = open();
    expect(await recognise(await first.sign())).toMatchObject(asAnn);
    expect(await recognise(await second.sign())).toEqual(wrong);
    issuer.keys = [second.jwk];
    expect(await recognise(await second.sign())).toMatchObject(asAnn);
    expect(await recognise(await first.sign())).toEqual(wrong);
  });

  it("is not asked for by every token that names one: anybody can name one", async () => {
    const recognise = open({ cooldownMs: 600_000 });
    const stranger = await issuerKey("stranger");
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => stranger.sign({}, { kid: `k${index}` })));
    for (const token of tokens) expect(await recognise(token)).toEqual(wrong);
    expect(issuer.fetches()).toBe(1);
  });
});

describe("a token that lies about its key", () => {
  it("by taking the public key for a secret is refused", async () => {
    const key = await issuerKey("rsa", "RS256");
    issuer.keys = [key.jwk];
    const pem = await exportSPKI((await importJWK(key.jwk, "RS256", { extractable: true })) as CryptoKey);
    const claims = { iss: "https://issuer.example", aud: "onejob" };
    for (const header of [{}, { kid: "rsa" }]) expect(await open()(await signed(claims, pem, header))).toEqual(wrong);
  });

  it("by a secret that the issuer publishes is refused: what is published is no secret", async () => {
    const secret = "a-secret-of-the-issuer-0123456789-0123";
    issuer.keys = [{ kty: "oct", k: Buffer.from(secret).toString("base64url"), kid: "oct", alg: "HS256" }];
    const token = await signed({ iss: "https://issuer.example", aud: "onejob" }, secret, { kid: "oct" });
    expect(await open()(token)).toEqual(wrong);
  });

  it("by bringing a key of its own, or an address of one, is refused", async () => {
    const stranger = await issuerKey("key-1");
    const elsewhere = await startIssuer(stranger);
    for (const header of [{ jwk: stranger.jwk }, { jku: elsewhere.url }, { x5u: elsewhere.url }])
      expect(await open()(await stranger.sign({}, header))).toEqual(wrong);
    expect(elsewhere.fetches()).toBe(0);
    await elsewhere.close();
  });

  it.each(["../../key-1", "key-1' or '1'='1", "__proto__", "constructor", "", "k".repeat(8_000)])(
    "by the name %j is refused",
    async (kid) => expect(await open()(await first.sign({}, { kid }))).toEqual(wrong),
  );

  it("by alg none, or by another algorithm than the key's, is refused", async () => {
    const recognise = open();
    expect(await recognise(forged({ alg: "none", kid: "key-1" }, claimsWith()))).toEqual(wrong);
    expect(await recognise(forged({ alg: "RS256", kid: "key-1" }, claimsWith(), "AAAA"))).toEqual(wrong);
    expect(await recognise(forged({ alg: "ES256", kid: 7 }, claimsWith(), "AAAA"))).toEqual(wrong);
  });
});

describe("an issuer that is away", () => {
  it.each(["error", "nonsense", "nothing", "elsewhere"] as const)(
    "with %s for an answer is no fault of the caller's, and the log says so",
    async (answer) => {
      issuer.answer = answer;
      const { authenticator } = open({ ...impatient, timeoutMs: 200 });
      const token = await first.sign();
      await expect(recogniseCaller(authenticator, `Bearer ${token}`)).rejects.toMatchObject({
        extensions: { code: "AUTHENTICATION_UNAVAILABLE", http: { status: 503 } },
      });
      expect(lines.join("")).toContain("key-set-unavailable");
      expect(lines.join("")).not.toContain(token.split(".")[1]);
    },
  );

  it("is left alone for a moment, told of once, and believed again when it is back", async () => {
    const recognise = open({ restMs: 1_000 });
    issuer.answer = "error";
    const token = await first.sign();
    for (const seen of await Promise.all(Array.from({ length: 20 }, () => recognise(token))))
      expect(seen).toEqual(unavailable);
    expect(issuer.fetches()).toBe(1);
    expect(lines).toHaveLength(1);
    issuer.answer = "keys";
    await waitUntil("the token is taken", async () => "ownerId" in (await recognise(token)));
  });

  it("takes nothing from those whose keys are known", async () => {
    const recognise = open();
    expect(await recognise(await first.sign())).toMatchObject(asAnn);
    issuer.answer = "error";
    expect(await recognise(await second.sign())).toEqual(unavailable);
    expect(await recognise(await first.sign())).toMatchObject(asAnn);
  });

  it("is not asked about what is no token of an issuer's at all", async () => {
    issuer.answer = "error";
    expect(await open()("token-of-nobody-01")).toEqual(wrong);
    expect(await open()(await signed())).toEqual(wrong);
    expect(issuer.fetches()).toBe(0);
  });
});
