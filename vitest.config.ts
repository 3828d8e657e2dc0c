/** How the tests run: against the sources, in processes of their own. Benchmarks are not tests and run apart. */
import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";

const require = createRequire(import.meta.url);
const sourceCondition = "onejob-source";

export default defineConfig({
  resolve: {
    conditions: [sourceCondition],
    // graphql ships a CommonJS and an ES copy; with both loaded, errors of one are strangers to the other.
    alias: [{ find: /^graphql$/, replacement: require.resolve("graphql") }],
  },
  ssr: { resolve: { conditions: [sourceCondition, "node", "import", "module", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    execArgv: [`--conditions=${sourceCondition}`],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    passWithNoTests: false,
    allowOnly: false,
    reporters: ["default"],
  },
});
