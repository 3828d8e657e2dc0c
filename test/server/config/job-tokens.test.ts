/** Which secrets the configuration takes for tokens for one job; what is refused says what to do, and never the secret. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compileConfig } from "../../../src/server/config/compile-config.ts";
import { secretShape } from "../../../src/server/config/secret-shape.ts";
import { StartupFault } from "../../../src/server/startup-fault.ts";
import { guardedConfig } from "../fixtures/print-config.ts";

const secret = "Wd3v8sQx1ZbN5mKc7RyT0aLhGfJu9PeoXi4wY6Mk2nBv";
const former = "r5Hq0TzLx8Cn3VbG7dWk1MsPy9JfAe6uQoXi4wN2hRtE";

function compile(jobTokens: unknown, more: readonly object[] = []) {
  const auth = { tokens: [...(guardedConfig.auth?.tokens ?? []), ...more], jobTokens };
  return compileConfig({ ...guardedConfig, auth }, {}).auth?.jobTokens;
}

function faultsOf(jobTokens: unknown, more: readonly object[] = []): readonly string[] {
  try {
    compile(jobTokens, more);
    return [];
  } catch (error) {
    if (error instanceof StartupFault) return error.lines;
    throw error;
  }
}

const remedy = "make one with openssl rand -base64 48";

describe("auth.jobTokens", () => {
  it("is a secret, or several of which the first signs; absent, there are no such tokens", () => {
    expect(compile({ secret })).toEqual({ secrets: [secret] });
    expect(compile({ secret: [secret, former] })).toEqual({ secrets: [secret, former] });
    expect(compile(undefined)).toBeNull();
  });

  it("takes whatever openssl rand -base64 48 makes", () => {
    const made = Array.from({ length: 2_000 }, () => randomBytes(48).toString("base64"));
    expect(made.filter((one) => !secretShape().safeParse(one).success)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["no object", "text", "auth.jobTokens must be of the type object, not string."],
    ["without a secret", {}, "auth.jobTokens.secret must be a text or a list of texts."],
    ["with a number", { secret: 7 }, "auth.jobTokens.secret must be a text or a list of texts."],
    ["with none of a list", { secret: [] }, "auth.jobTokens.secret is empty: name the secret that signs."],
    ["with more", { secret, algorithm: "none" }, "auth.jobTokens has no setting algorithm."],
    [
      "with a number in the list",
      { secret: [secret, 7] },
      "auth.jobTokens.secret[1] must be of the type string, not number.",
    ],
    [
      "with one twice",
      { secret: [secret, secret] },
      "auth.jobTokens.secret[1] is the same as auth.jobTokens.secret[0].",
    ],
  ])("%s is refused", (_what, jobTokens, fault) => {
    expect(faultsOf(jobTokens)).toEqual([fault]);
  });

  it.each([
    ["too short", "Wd3v8sQx1ZbN5mKc7RyT0aLhGfJu9Pe", "must have at least 32 bytes"],
    ["empty", "", "must have at least 32 bytes"],
    ["of one character", "x".repeat(64), "is too easily guessed"],
    ["of seven characters", "abcdefggfedcbaabcdefabcdefabcdeffg", "is too easily guessed"],
    ["a short text over and over", "W3vQx1Zb".repeat(5), "is too easily guessed"],
    ["jwt.io's", "a-string-secret-at-least-256-bits-long", "is a sample that others know"],
    ["jwt.io's former one, twice", "your-256-bit-secret your-256-bit-secret.", "is a sample that others know"],
    ["a placeholder", "CHANGE_ME_before_you_go_to_production", "is a sample that others know"],
    ["a row of digits", "0123456789abcdef0123456789abcdeF", "is a sample that others know"],
  ])("a secret that is %s is refused without being quoted", (_what, weak, why) => {
    expect(faultsOf({ secret: weak })).toEqual([`auth.jobTokens.secret ${why}: ${remedy}.`]);
    expect(faultsOf({ secret: [secret, weak] })).toEqual([`auth.jobTokens.secret[1] ${why}: ${remedy}.`]);
  });

  it("counts bytes, not characters", () => {
    expect(faultsOf({ secret: "ÄÖÜßéèêñçøåæœðþł" })).toEqual([]);
  });

  it("is none of the static tokens, since whoever holds one could sign in every owner's name", () => {
    const more = [{ token: secret, ownerId: "carl", roles: ["OWNER"] }];
    const [fault, ...others] = faultsOf({ secret: [former, secret] }, more);
    expect(fault).toMatch(/^auth\.jobTokens\.secret\[1\] is also one of auth\.tokens/);
    expect(others).toEqual([]);
    expect(fault).not.toContain(secret);
  });

  it("alone lets nobody call, for nobody could ask for a token", () => {
    const config = { ...guardedConfig, auth: { jobTokens: { secret } } };
    expect(() => compileConfig(config, {})).toThrow("auth.tokens");
  });
});
