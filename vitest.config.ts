/** How the tests run: against the sources, in processes of their own. Benchmarks are not tests and run apart. */
import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";

const require = createRequire(import.meta.url);
const sourceCondition = "onejob-source";

/** What the projects have in common. The global setup is the root's alone: it starts one PostgreSQL for them all. */
const common = {
  resolve: {
    conditions: [sourceCondition],
    // graphql ships a CommonJS and an ES copy; with both loaded, errors of one are strangers to the other.
    alias: [{ find: /^graphql$/, replacement: require.resolve("graphql") }],
  },
  ssr: { resolve: { conditions: [sourceCondition, "node", "import", "module", "default"] } },
};
const commonTest = {
  pool: "forks" as const,
  execArgv: [`--conditions=${sourceCondition}`],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  teardownTimeout: 30_000,
};
const contractTests = "test/api/contract/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
    reporters: ["default"],
    projects: [
      {
        ...common,
        test: {
          ...commonTest,
          name: "all else",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", contractTests],
        },
      },
      // Many small files that hold no state of the process: they share one, since loading the server costs more than they do.
      { ...common, test: { ...commonTest, name: "contract", include: [contractTests], isolate: false } },
    ],
  },
});
