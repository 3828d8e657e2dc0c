/** The configuration for the tests of the contract: that of api-config.ts, and what only a field's meaning asks for. */
import { defineConfig, defineOperation, defineProvider, externalProvider } from "onejob";
import { z } from "zod";
import type { Outcome } from "../../src/domain/outcome.ts";
import { apiConfig } from "./api-config.ts";

/** What the press says of a job when it is asked; of others it cannot tell. */
export const pressKnows = new Map<string, Outcome>();

/** Loses sight of everything it prints. */
const press = defineProvider({
  name: "press",
  revision: "heidelberg-2",
  description: "Prints posters, and forgets them.",
  async run(call) {
    await call.acknowledge("request-1");
    return { kind: "unknown", failure: { code: "SILENT", message: "No answer.", remedy: "NONE" } };
  },
  lookup: async ({ jobId }) => pressKnows.get(jobId) ?? null,
});

const text = z.object({ text: z.string() });

const poster = defineOperation({
  name: "poster",
  version: 7,
  description: "A large sheet.",
  effectClass: "KEYED",
  input: text,
  output: z.object({ pages: z.int().min(1) }),
  providers: ["press"],
});

const stamp = defineOperation({
  name: "stamp",
  effectClass: "BLIND",
  input: text,
  output: z.json(),
  providers: ["plotter"],
});

/** Like print, with all the time that a slow machine needs: its jobs stay as a test has left them. */
const steady = defineOperation({
  name: "steady",
  effectClass: "QUERYABLE",
  input: z.object({ text: z.string(), copies: z.int().optional() }),
  output: z.object({ pages: z.int().min(1) }),
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 600_000,
  leaseMs: 600_000,
});

export const contractConfig = defineConfig({
  ...apiConfig,
  operations: [...apiConfig.operations, poster, stamp, steady],
  providers: [...apiConfig.providers, press],
});

/** As it was before an operation and a provider were dropped from it. */
export const formerConfig = defineConfig({
  ...contractConfig,
  operations: [
    ...contractConfig.operations,
    defineOperation({ name: "fax", effectClass: "BLIND", input: text, output: z.json(), providers: ["modem"] }),
  ],
  providers: [...contractConfig.providers, externalProvider({ name: "modem", revision: "1" })],
});
