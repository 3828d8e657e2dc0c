/** The configuration of the fuzzed server: that of the API's tests, a provider inside the server, and a token with every role. */
import { defineConfig, defineOperation, defineProvider, externalProvider, type OnejobConfig } from "onejob";
import { z } from "zod";
import { apiConfig, tokens as apiTokens } from "../support/api-config.ts";
import { jwtSecret } from "../support/jwt-kit.ts";

export const tokens = { ...apiTokens, all: "token-of-somebody-with-every-role" } as const;
export type Caller = "ann" | "bob" | "worker" | "inkjetWorker" | "operator" | "all" | "jwt" | "jobToken";
/** Each role alone, workers of all providers and of one, all roles together, an owner by JWT, and a browser's token for one job. */
export const callers: readonly Caller[] = [
  "ann",
  "bob",
  "worker",
  "inkjetWorker",
  "operator",
  "all",
  "all",
  "all",
  "jwt",
  "jobToken",
];

/** Loses sight of everything it prints, and finds it again when it is asked. */
const press = defineProvider({
  name: "press",
  revision: "1",
  async run(call) {
    await call.acknowledge("request-1");
    return { kind: "unknown", failure: { code: "SILENT", message: "No answer.", remedy: "NONE" } };
  },
  lookup: async () => ({ kind: "succeeded", result: { pages: 1 } }),
});

const poster = defineOperation({
  name: "poster",
  effectClass: "QUERYABLE",
  input: z.object({ text: z.string() }),
  output: z.object({ pages: z.int().min(1) }),
  providers: ["press"],
});

export const fuzzConfig: OnejobConfig = defineConfig({
  ...apiConfig,
  operations: [...apiConfig.operations, poster],
  providers: [...apiConfig.providers, press],
  // Random documents have more aliases than honest ones: most of them are to get further than this limit.
  limits: { aliases: 400 },
  auth: {
    ...apiConfig.auth,
    jwt: { secret: jwtSecret },
    tokens: [
      ...(apiConfig.auth?.tokens ?? []),
      { token: tokens.all, ownerId: "ann", roles: ["OWNER", "WORKER", "OPERATOR"] },
    ],
  },
});

const telex = externalProvider({ name: "telex", revision: "1" });
const fax = defineOperation({
  name: "fax",
  effectClass: "BLIND",
  input: z.json(),
  output: z.json(),
  providers: ["telex", "inkjet"],
});

/** As it was before an operation and a provider were dropped, whose jobs remain. */
export const formerConfig: OnejobConfig = defineConfig({
  ...fuzzConfig,
  operations: [...fuzzConfig.operations, fax],
  providers: [...fuzzConfig.providers, telex],
});
