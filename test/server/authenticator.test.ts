/** How tokens are told apart. Which fields a role may call is not the authenticator's business, nor this test's. */
import { describe, expect, it } from "vitest";
import { digestToken, localAuthenticator, tokenAuthenticator } from "../../src/server/auth/authenticator.ts";
import { recogniseCaller } from "../../src/server/auth/recognise-caller.ts";
import { compileConfig } from "../../src/server/config/compile-config.ts";
import { guardedConfig, tokens } from "./fixtures/print-config.ts";

const grants = compileConfig(guardedConfig, {}).auth?.tokens ?? [];
const authenticator = tokenAuthenticator(grants);

describe("with tokens", () => {
  it("tells the owner, the roles and the providers that a token stands for", async () => {
    expect(await authenticator.recognise(`Bearer ${tokens.ann}`)).toEqual({
      ownerId: "ann",
      roles: new Set(["OWNER"]),
      providers: null,
      expiresAt: null,
      onlyJob: null,
    });
    expect(await authenticator.recognise(`bearer   ${tokens.worker} `)).toEqual({
      ownerId: "printer",
      roles: new Set(["WORKER"]),
      providers: ["outside"],
      expiresAt: null,
      onlyJob: null,
    });
  });

  it.each([
    ["nothing", null, "no-token"],
    ["a token that nobody has", "Bearer token-of-nobody-01", "wrong-token"],
    ["the beginning of one", `Bearer ${tokens.ann.slice(0, -1)}`, "wrong-token"],
    ["one with more behind it", `Bearer ${tokens.ann} x`, "wrong-token"],
    ["another scheme", `Basic ${tokens.ann}`, "wrong-token"],
    ["no scheme", tokens.ann, "wrong-token"],
    ["an empty header", "", "wrong-token"],
  ])("recognises nobody by %s", async (_, authorization, reason) => {
    expect(await authenticator.recognise(authorization)).toEqual({ reason });
    await expect(recogniseCaller(authenticator, authorization)).rejects.toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ code: "UNAUTHENTICATED" }) }),
    );
  });

  it("keeps the digest of a token, never the token", () => {
    expect(grants[0]?.digest).toEqual(digestToken(tokens.ann));
    expect(JSON.stringify(grants)).not.toContain(tokens.ann);
  });
});

describe("without tokens", () => {
  it("takes everyone for one local owner with every role", async () => {
    const roles = new Set(["OWNER", "WORKER", "OPERATOR"]);
    const local = { ownerId: "local", roles, providers: null, expiresAt: null, onlyJob: null };
    expect(await localAuthenticator().recognise(null)).toEqual(local);
    expect(await localAuthenticator().recognise("Bearer whatever")).toEqual(local);
  });
});
