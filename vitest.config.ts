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

/**
 * Files that keep nothing in the process but what they close again: they share one, since loading the server anew for each
 * of them costs more than most of them do.
 */
const sharing = [
  "abuse",
  "api",
  "domain",
  "fuzz",
  "history",
  "live",
  "providers",
  "race",
  "runtime",
  "server",
  "simulation",
  "store",
].map((layer) => `test/${layer}/**/*.test.ts`);
/** It replaces modules, which would stay replaced for the files behind it. */
const replacing = ["test/api/subscribe-connections.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // On two cores: a third file works while two wait, for a lease to lapse or a program to start.
    maxWorkers: 3,
    passWithNoTests: false,
    allowOnly: false,
    reporters: ["default"],
    projects: [
      {
        ...common,
        test: {
          ...commonTest,
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...sharing],
        },
      },
      { ...common, test: { ...commonTest, name: "sharing", include: sharing, exclude: replacing, isolate: false } },
      { ...common, test: { ...commonTest, name: "replacing", include: replacing } },
    ],
  },
});
