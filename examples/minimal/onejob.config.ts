// The smallest configuration that shows both kinds of provider: a program of your own, and one that runs in the server.
// Start it with `npm start -- --config examples/minimal/onejob.config.ts`, and beside it `node examples/minimal/worker.mjs`.
import { defineConfig, defineOperation, externalProvider, scriptedProvider } from "onejob";
import { z } from "zod";

const print = defineOperation({
  name: "print",
  version: 1,
  description: "Prints a text, and says on how many pages.",
  // A printer can be asked what became of a page, so an attempt that timed out may be cleared up.
  effectClass: "QUERYABLE",
  input: z.object({ text: z.string().min(1), copies: z.int().min(1).max(10).optional() }),
  output: z.object({ pages: z.int().min(1) }),
  // The first is the default target; the laser may take over once it is certified.
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 30_000,
  leaseMs: 15_000,
  retry: { maxAttempts: 3, initialDelayMs: 500, maxDelayMs: 30_000 },
});

export default defineConfig({
  operations: [print],
  providers: [
    // Its attempts wait for a worker that claims them over the API, in whatever language: see worker.mjs.
    externalProvider({ name: "inkjet", revision: "1", description: "A worker of your own" }),
    // Its attempts are carried out by the server itself, as the script says: jam once, then print.
    scriptedProvider({
      name: "laser",
      description: "Jams on a job's first attempt",
      script: [
        { kind: "jam", message: "Paper jam in tray 2." },
        { kind: "ok", afterMs: 800, progress: [0.25, 0.5, 0.75], result: { pages: 1 } },
      ],
    }),
  ],
});
