/** Which secrets the configuration takes for tokens for one job; what is refused says what to do, and never the secret. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compileConfig } from "../../../src/server/config/compile-config.ts";
import { strongSecrets } from "../../../src/server/config/strong-secret.ts";
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

describe("auth.jobTokens", () => {
  it("is a secret, or several of which the first signs; absent, there are no such tokens", () => {
    expect(compile({ secret })).toEqual({ secrets: [secret] });
    expect(compile({ secret: [secret, former] })).toEqual({ secrets: [secret, former] });
    expect(compile(undefined)).toBeNull();
  });

  it("takes whatever openssl rand -base64 48 makes", () => {
    const made = Array.from({ length: 2_000 }, () => randomBytes(48).toString("base64"));
    expect(made.filter((one) => !strongSecrets.safeParse(one).success)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["no object", "text", "auth.jobTokens must be of the type object, not string."],
    ["without a secret", {}, "auth.jobTokens.secret is not set: if it comes from the environment, check the variable."],
    ["with a number", { secret: 7 }, "auth.jobTokens.secret must be a text, or a list of texts."],
    [
      "with none of a list",
      { secret: [] },
      "auth.jobTokens.secret must hold from 1 to 10 secrets: make one with: openssl rand -base64 48.",
    ],
    ["with more", { secret, algorithm: "none" }, "auth.jobTokens has no setting algorithm."],
    ["with a number in the list", { secret: [secret, 7] }, "auth.jobTokens.secret[1] must be a text."],
    ["with one twice", { secret: [secret, secret] }, "auth.jobTokens.secret[1] is in the list twice."],
  ])("%s is refused", (_what, jobTokens, fault) => {
    expect(faultsOf(jobTokens)).toEqual([fault]);
  });

  it("is as strong as a secret for JSON Web Tokens must be, and is not quoted", () => {
    for (const weak of ["", "x".repeat(64), "CHANGE_ME_before_you_go_to_production"]) {
      const [fault = "", ...others] = faultsOf({ secret: [secret, weak] });
      expect([fault, others]).toEqual([expect.stringMatching(/^auth\.jobTokens\.secret\[1\] .*openssl rand/), []]);
      expect(weak === "" || !fault.includes(weak)).toBe(true);
    }
  });

  it("is none of the static tokens, since whoever holds one could sign in every owner's name", () => {
    const more = [{ token: secret, ownerId: "carl", roles: ["OWNER"] }];
    const [fault, ...others] = faultsOf({ secret: [former, secret] }, more);
    expect(fault).toMatch(/^auth\.jobTokens\.secret is also one of auth\.tokens/);
    expect(others).toEqual([]);
    expect(fault).not.toContain(secret);
  });

  it("alone lets nobody call, for nobody could ask for a token", () => {
    const config = { ...guardedConfig, auth: { jobTokens: { secret } } };
    expect(() => compileConfig(config, {})).toThrow("names nobody who could call");
  });
});
