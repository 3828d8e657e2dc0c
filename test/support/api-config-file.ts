/** The tests' configuration as a file, for servers in processes of their own. It adds an oven that such a process itself runs. */
import { appendFileSync } from "node:fs";
import { defineConfig, defineOperation, defineProvider } from "onejob";
import { z } from "zod";
import { apiConfig } from "./api-config.ts";

/** Says in a ledger outside the process that it was lit, and then bakes for longer than anybody waits. */
const oven = defineProvider({
  name: "oven",
  revision: "1",
  async run({ attemptId }) {
    const ledger = process.env["ONEJOB_TEST_LEDGER"];
    if (ledger !== undefined) appendFileSync(ledger, `${attemptId}\n`);
    return new Promise(() => {});
  },
});

const bake = defineOperation({
  name: "bake",
  effectClass: "QUERYABLE",
  input: z.object({ loaves: z.int() }),
  output: z.object({ loaves: z.int() }),
  providers: ["oven"],
  attemptTimeoutMs: 30_000,
  leaseMs: 1_000,
});

export default defineConfig({
  ...apiConfig,
  operations: [...apiConfig.operations, bake],
  providers: [...apiConfig.providers, oven],
});
