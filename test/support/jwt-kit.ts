/** Makes JSON Web Tokens as issuers do, good and bad ones, and serves an issuer's public keys. It verifies nothing. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { wallClock } from "../../src/runtime/clock.ts";

/** Signs what the tests' own servers accept; made anew for every run. */
export const jwtSecret = randomBytes(48).toString("base64");

/** Whole seconds since the epoch, as tokens have them, so many from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(wallClock().getTime() / 1_000) + seconds;
}

/** Claims as a test wants them, right or wrong; an undefined one is left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** For ann as an owner and for an hour, but for what `claims` say. */
export function claimsWith(claims: Claims = {}): JWTPayload {
  const all = { sub: "ann", roles: ["OWNER"], exp: secondsFromNow(3_600), ...claims };
  return JSON.parse(JSON.stringify(all)) as JWTPayload;
}

export function signed(claims: Claims = {}, secret: string = jwtSecret, header: object = {}): Promise<string> {
  return new SignJWT(claimsWith(claims)).setProtectedHeader({ alg: "HS256", ...header }).sign(Buffer.from(secret));
}

/** A token put together by hand, for what no library would make: the signature is whatever is given. */
export function forged(header: object, claims: unknown, signature = ""): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.${signature}`;
}

export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly jwk: JWK;
  sign(claims?: Claims, header?: object): Promise<string>;
}

export async function issuerKey(kid: string, alg = "ES256"): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = { iss: "https://issuer.example", aud: "onejob" };
  const sign = (claims: Claims = {}, header: object = {}, key: CryptoKey = privateKey) =>
    new SignJWT(claimsWith({ ...named, ...claims })).setProtectedHeader({ alg, kid, ...header }).sign(key);
  return { kid, alg, jwk: { ...(await exportJWK(publicKey)), kid, alg }, sign };
}

export interface Issuer {
  readonly url: string;
  /** What it publishes, and how; to be changed by the test. */
  keys: JWK[];
  answer: "keys" | "error" | "nonsense" | "nothing" | "elsewhere";
  readonly fetches: () => number;
  close(): Promise<void>;
}

export async function startIssuer(...keys: readonly IssuerKey[]): Promise<Issuer> {
  let fetches = 0;
  const server = createServer((request, response) => {
    fetches += 1;
    const isSentOn = issuer.answer === "elsewhere" && request.url === "/keys";
    if (isSentOn) return response.writeHead(302, { location: "/elsewhere" }).end();
    if (issuer.answer === "nothing") return response;
    response.statusCode = issuer.answer === "error" ? 500 : 200;
    return response.end(issuer.answer === "nonsense" ? "<html>" : JSON.stringify({ keys: issuer.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    keys: keys.map(({ jwk }) => jwk),
    answer: "keys",
    fetches: () => fetches,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
