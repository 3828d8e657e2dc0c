/** What a refused caller is told, and which of several authenticators tells it. Which tokens are refused is the other files' matter. */
import { describe, expect, it } from "vitest";
import { digestToken, firstOf, tokenAuthenticator } from "../../../src/server/auth/authenticator.ts";
import { jwtAuthenticator } from "../../../src/server/auth/jwt-authenticator.ts";
import { recogniseCaller } from "../../../src/server/auth/recognise-caller.ts";
import { readJwt } from "../../../src/server/config/read-jwt.ts";
import { captureLog } from "../../support/capture-log.ts";
import { type Claims, jwtSecret, secondsFromNow, signed } from "../../support/jwt-kit.ts";

const settings = readJwt({ secret: jwtSecret }, (where, what) => {
  throw new Error(`${where} ${what}`);
});
const authenticator = jwtAuthenticator(settings!, captureLog().log);

describe("what a caller is told", () => {
  it.each<[Claims, string]>([
    [{ exp: 1 }, "Token expired"],
    [{ nbf: secondsFromNow(900) }, "Token not valid yet"],
    [{ sub: undefined }, "Token lacks the claim sub"],
    [{ sub: 'x"\r\nset-cookie: a=b'.repeat(20) }, "Token has an unusable claim sub"],
  ])("of a token with %j is that it has this fault, and nothing of the token", async (claims, fault) => {
    const token = await signed(claims);
    const refusal = recogniseCaller(authenticator, `Bearer ${token}`);
    await expect(refusal).rejects.toMatchObject({
      message: expect.stringContaining(fault),
      extensions: {
        code: "UNAUTHENTICATED",
        http: {
          status: 401,
          headers: { "www-authenticate": `Bearer error="invalid_token", error_description="${fault}"` },
        },
      },
    });
    expect(JSON.stringify(await refusal.catch((error: unknown) => error))).not.toContain(token.split(".")[1]);
  });
});

describe("static tokens and JSON Web Tokens together", () => {
  const viewer = {
    ownerId: "bob",
    roles: new Set(["OWNER"] as const),
    providers: null,
    expiresAt: null,
    onlyJob: null,
  };
  const digest = digestToken("token-of-bob-at-his-desk");
  const both = firstOf([tokenAuthenticator([{ digest, viewer }]), authenticator]);

  it("are each recognised, and the refusal that tells most is told", async () => {
    expect(await both.recognise(`Bearer ${await signed()}`)).toMatchObject({ ownerId: "ann" });
    expect(await both.recognise("Bearer token-of-bob-at-his-desk")).toEqual(viewer);
    expect(await both.recognise(`Bearer ${await signed({ exp: 1 })}`)).toEqual({ reason: "expired" });
    expect(await both.recognise("Bearer token-of-nobody-01")).toEqual({ reason: "wrong-token" });
    expect(await both.recognise(null)).toEqual({ reason: "no-token" });
  });
});
