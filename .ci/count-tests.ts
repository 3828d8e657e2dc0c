/** Prints "passed failed left-out" from vitest's JSON report and exit status, and names what was left out. */
import { existsSync, readFileSync } from "node:fs";

interface Test {
  status: string;
  fullName: string;
}

interface TestFile {
  status: string;
  assertionResults: Test[];
}

function count(files: TestFile[], exitStatus: string): [passed: number, failed: number, leftOut: number] {
  const tests = files.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === "passed").length;
  const broken = tests.filter((test) => test.status === "failed").length;
  const leftOut = tests.filter((test) => test.status !== "passed" && test.status !== "failed");
  for (const test of leftOut) console.error(`left out: ${test.fullName}`);
  // A file that fails outside of its tests, at import or in a hook, has no failed test to count.
  const silent = files.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = broken + silent;
  // Vitest also fails over errors that belong to no test; that counts as one.
  const unexplained = exitStatus !== "0" && failed === 0 ? 1 : 0;
  return [passed, failed + unexplained, leftOut.length];
}

const [report = "", exitStatus = "1"] = process.argv.slice(2);
const counts: number[] = existsSync(report)
  ? count((JSON.parse(readFileSync(report, "utf8")) as { testResults: TestFile[] }).testResults, exitStatus)
  : [0, 1, 0];
console.log(counts.join(" "));
