/**
 * Holds the schema to what the last release promised. `check` compares the two, `record` puts this version's schema on record,
 * `publishing` refuses what is not on record. Who breaks what, and by which version that is allowed, is in released-schema/.
 */
import { printSchema } from "graphql";
import { buildOnejobSchema } from "../src/graphql/schema.ts";
import { carryOut } from "./released-schema/carry-out.ts";

try {
  const { ok, lines } = carryOut(process.argv[2], new URL("../", import.meta.url), printSchema(buildOnejobSchema()));
  for (const line of lines) (ok ? console.log : console.error)(line);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
