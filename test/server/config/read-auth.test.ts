/** What is said of each fault in the section auth of a configuration, and what a sound one becomes. No token is judged. */
import { createHash, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { digestToken } from "../../../src/server/auth/authenticator.ts";
import { type AuthSettings, readAuth } from "../../../src/server/config/read-auth.ts";

const strong = randomBytes(48).toString("base64");
const keySet = { jwksUrl: "https://issuer.example/keys", issuer: "https://issuer.example", audience: "onejob" };

function read(auth: unknown): { readonly faults: string[]; readonly settings: AuthSettings | null } {
  const faults: string[] = [];
  const settings = readAuth(auth, new Set(["inkjet"]), (where, what) => void faults.push(`${where} ${what}`));
  return { faults, settings };
}
const faultsOf = (jwt: unknown) => read({ jwt }).faults;

describe("a secret for JSON Web Tokens", () => {
  const howTo = "make one with: openssl rand -base64 48";
  it.each([
    ["too short", "Kx7!pQ2z".repeat(3), `must have at least 32 bytes: ${howTo}`],
    ["of few characters", "abcabcaabbccabcaacbabcbacbacbbacabcbca", `has fewer than 8 different characters: ${howTo}`],
    ["a pattern", "Kx7!pQ2zLm".repeat(4), `repeats a pattern: ${howTo}`],
    ["a pattern that is cut off", `${"Kx7!pQ2zLm".repeat(4)}Kx7`, `repeats a pattern: ${howTo}`],
    ["a sample", "a-string-secret-at-least-256-bits-long", `looks like a sample out of a page or a template: ${howTo}`],
    [
      "another sample",
      "ChangeMe-ChangeMe-please-changeme-now",
      `looks like a sample out of a page or a template: ${howTo}`,
    ],
    ["endless", randomBytes(1_024).toString("hex"), "must have at most 1,024 characters"],
    ["no text", 42, "must be a text, or a list of texts"],
    ["no secret at all", [], `must hold from 1 to 10 secrets: ${howTo}`],
  ])("that is %s is refused", (_what, secret, fault) => {
    expect(faultsOf({ secret })).toEqual([`auth.jwt.secret ${fault}`]);
  });

  it("of several is named by its place, and is there once", () => {
    expect(faultsOf({ secret: [strong, "short", strong, null] })).toEqual([
      `auth.jwt.secret[1] must have at least 32 bytes: ${howTo}`,
      "auth.jwt.secret[2] is in the list twice",
      "auth.jwt.secret[3] must be a text",
    ]);
  });

  it("that openssl or a password manager makes is taken, alone or with others", () => {
    const secrets = Array.from({ length: 10 }, (_, index) => randomBytes(24 + index).toString("hex"));
    for (const secret of [...secrets, secrets, strong]) expect(faultsOf({ secret })).toEqual([]);
  });

  it("shows neither in a fault nor in what is kept", () => {
    const { faults, settings } = read({ jwt: { secret: [strong, "short-but-mine"], clockToleranceSeconds: -1 } });
    expect(faults.join("\n")).not.toMatch(/short-but-mine/);
    expect(settings?.jwt).toBeNull();
    const kept = read({ jwt: { secret: strong } }).settings;
    expect(`${inspect(kept, { depth: 9 })}${JSON.stringify(kept)}`).not.toContain(strong.slice(0, 12));
  });
});

describe("how JSON Web Tokens are judged", () => {
  const issuerMissing = "auth.jwt.issuer is required beside jwksUrl: else any token of that issuer would do";
  it.each<[string, unknown, string[]]>([
    ["neither secret nor jwksUrl", {}, ["auth.jwt needs a secret or a jwksUrl to verify tokens with"]],
    [
      "a secret out of an environment without it",
      { secret: undefined },
      ["auth.jwt.secret is not set: if it comes from the environment, check the variable"],
    ],
    ["both", { ...keySet, secret: strong }, ["auth.jwt has both secret and jwksUrl: leave one of them out"]],
    [
      "keys of an issuer for everybody",
      { jwksUrl: keySet.jwksUrl },
      [issuerMissing, issuerMissing.replace("issuer is", "audience is")],
    ],
    [
      "keys in plain text",
      { ...keySet, jwksUrl: "http://issuer.example/keys" },
      ["auth.jwt.jwksUrl must begin with https://, unless it is on this machine"],
    ],
    [
      "keys from a file",
      { ...keySet, jwksUrl: "file:///etc/keys" },
      ["auth.jwt.jwksUrl must begin with https://, unless it is on this machine"],
    ],
    ["no address", { ...keySet, jwksUrl: "issuer" }, ["auth.jwt.jwksUrl is no address: write https://…"]],
    [
      "an address with a password",
      { ...keySet, jwksUrl: "https://ann:swordfish@issuer.example" },
      ["auth.jwt.jwksUrl must hold no user name and no password"],
    ],
    ["an audience of nobody", { secret: strong, audience: [] }, ["auth.jwt.audience names nobody"]],
    ["an empty issuer", { secret: strong, issuer: "" }, ["auth.jwt.issuer must not be empty"]],
    [
      "clocks that differ by more than five minutes",
      { secret: strong, clockToleranceSeconds: 301 },
      ["auth.jwt.clockToleranceSeconds must be a whole number from 0 to 300"],
    ],
    ["a setting that there is not", { secret: strong, algorithms: ["none"] }, ["auth.jwt has no setting algorithms"]],
    ["no object", "secret", ["auth.jwt must be of the type object, not string"]],
  ])("%s: is refused", (_what, jwt, faults) => expect(faultsOf(jwt)).toEqual(faults));

  it("has the defaults that are documented", () => {
    expect(read({ jwt: { secret: strong } }).settings?.jwt).toMatchObject({
      issuer: null,
      audience: null,
      rolesClaim: "roles",
      providersClaim: "providers",
      clockToleranceSeconds: 30,
    });
    for (const jwksUrl of ["http://127.0.0.1:1/keys", "http://localhost/keys", "http://[::1]:8080/keys"])
      expect(faultsOf({ ...keySet, jwksUrl })).toEqual([]);
  });
});

describe("static tokens", () => {
  const token = "token-of-ann-0123";
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  const ann = { ownerId: "ann", roles: ["OWNER"] };

  it("may be given as their digests, in either case", () => {
    for (const given of [tokenSha256, tokenSha256.toUpperCase()]) {
      const { faults, settings } = read({ tokens: [{ ...ann, tokenSha256: given }] });
      expect(faults).toEqual([]);
      expect(settings?.tokens[0]?.digest).toEqual(digestToken(token));
    }
  });

  it.each<[string, object[], string[]]>([
    ["as neither", [ann], ["auth.tokens[0] needs a token, or its tokenSha256"]],
    [
      "out of an environment without it",
      [{ ...ann, token: undefined }],
      ["auth.tokens[0].token is not set: if it comes from the environment, check the variable"],
    ],
    ["as both", [{ ...ann, token, tokenSha256 }], ["auth.tokens[0] has both token and tokenSha256: leave one out"]],
    [
      "as no digest",
      [{ ...ann, tokenSha256: "abc" }],
      ["auth.tokens[0].tokenSha256 must be a SHA-256 in hexadecimal: 64 digits"],
    ],
    [
      "twice, as itself and as its digest",
      [
        { ...ann, token },
        { ...ann, tokenSha256: tokenSha256.toUpperCase() },
      ],
      ["auth.tokens[1].tokenSha256 is the same as auth.tokens[0].token"],
    ],
  ])("given %s are refused", (_what, tokens, faults) => expect(read({ tokens }).faults).toEqual(faults));
});

it("faults of the section and of its parts are told together, and none that only follows from another", () => {
  expect(read({ jwtt: {}, tokens: {}, jwt: "text", jobTokens: { secret: "short" } }).faults).toEqual([
    "auth.tokens must be of the type array, not object",
    "auth has no setting jwtt",
    "auth.jwt must be of the type object, not string",
    "auth.jobTokens.secret must have at least 32 bytes: make one with: openssl rand -base64 48",
  ]);
  expect(read("text").faults).toEqual(["auth must be of the type object, not string"]);
});

it.each([{}, { tokens: [] }])("authentication by nothing, such as %j, is refused: nobody could call", (auth) => {
  expect(read(auth).faults).toEqual(["auth names nobody who could call: give it tokens or jwt"]);
});
