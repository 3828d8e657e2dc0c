// What cannot be repaired is told in one line: what, where, and what to do. Each fault is a real one.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  EmbeddedPostgresError,
  type EmbeddedPostgresFault,
  startEmbeddedPostgres,
} from "../../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { findReachablePackage, isRoot, makeFolder, ordinary, type Report, startInChild } from "./fixture.ts";

const dataDir = join(makeFolder(), ".onejob");
const cluster = join(dataDir, "postgres");

beforeAll(async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  await server.stop();
}, 60_000);

/** Room for less than PostgreSQL's first files: a small disk where root may mount one, else a limit on file sizes. */
const tightPlaces = mountSmallDisk();

test.each(tightPlaces)(
  "no room for the database files: $name",
  async ({ dataDir: tight, limitFileBlocks }) => {
    const limit = limitFileBlocks === undefined ? {} : { limitFileBlocks };
    const report = await startInChild({ dataDir: tight, ...limit }).until(({ fault }) => fault !== undefined);
    expectOneLine(report, "DISK_FULL", tight, /No space left on device|File too large/, /free some space/);
    expect(readdirSync(tight).filter((name) => name.startsWith("postgres"))).toEqual([]);
  },
  60_000,
);

test("no room when an existing database starts", async () => {
  // The server writes this file at each start; the device answers as a full disk does.
  const file = join(cluster, "postmaster.opts");
  execFileSync("rm", ["-f", file]);
  symlinkSync("/dev/full", file);
  expectOneLine(await failure({ dataDir }), "DISK_FULL", dataDir, /No space left on device/);
  execFileSync("rm", ["-f", file]);
}, 30_000);

test("a folder that may not be written", async () => {
  const folder = makeFolder(); // as root it belongs to root and the start is somebody else's
  execFileSync("chmod", ["555", folder]);
  const options = { dataDir: join(folder, ".onejob"), packageDir: findReachablePackage(), user: ordinary };
  const report = await startInChild(options).until(({ fault }) => fault !== undefined);
  expectOneLine(report, "UNWRITABLE", options.dataDir, /permission denied/, /owner or mode/);
}, 30_000);

test("data elsewhere that are gone are not replaced by an empty database", async () => {
  const folder = makeFolder();
  const gone = join(folder, "gone");
  writeFileSync(join(folder, "postgres-location"), `${gone}\n`);
  expectOneLine(await failure({ dataDir: folder }), "INCOMPLETE", gone, /delete this file to begin with an empty/);
});

test("a data folder that is a file", async () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");
  expectOneLine(await failure({ dataDir: file }), "UNWRITABLE", file);
});

test("data of another major version", async () => {
  const other = makeFolder();
  mkdirSync(join(other, "postgres"));
  writeFileSync(join(other, "postgres", "PG_VERSION"), "17\n");
  if (ordinary) execFileSync("chown", ["-R", String(ordinary.uid), join(other, "postgres")]);
  expectOneLine(await failure({ dataDir: other }), "OTHER_VERSION", other, /PostgreSQL 17.*PostgreSQL 18/);
});

test("a folder of that name that holds something else is left alone", async () => {
  const other = makeFolder();
  mkdirSync(join(other, "postgres", "photographs"), { recursive: true });
  expectOneLine(await failure({ dataDir: other }), "INCOMPLETE", other, /no PostgreSQL data/);
  expect(readdirSync(join(other, "postgres"))).toEqual(["photographs"]);
});

test("a package without programs that run here", async () => {
  const packageDir = makeFolder();
  mkdirSync(join(packageDir, "native", "bin"), { recursive: true });
  writeFileSync(join(packageDir, "package.json"), JSON.stringify({ version: "0.0.0-empty" }));
  const report = await failure({ dataDir: makeFolder(), packageDir });
  expectOneLine(report, "UNSUPPORTED", "0.0.0-empty", /ENOENT/, /reinstall/);
  execFileSync("rm", ["-rf", /copy in (\S+):/.exec(report.message ?? "")?.[1] ?? ""]);
});

test("what is not recognised is told with PostgreSQL's own last lines", async () => {
  writeFileSync(join(cluster, "postgresql.conf"), "no_such_setting = on\n", { flag: "a" });
  expectOneLine(await failure({ dataDir }), "FAILED", dataDir, /no_such_setting/);
}, 30_000);

async function failure(options: { dataDir: string; packageDir?: string }): Promise<Report> {
  return startEmbeddedPostgres(options).then(
    (server) => server.stop().then(() => ({})),
    (error: unknown) => {
      if (!(error instanceof EmbeddedPostgresError)) throw error;
      return { fault: error.fault, message: error.message };
    },
  );
}

function expectOneLine(report: Report, fault: EmbeddedPostgresFault, ...parts: (string | RegExp)[]): void {
  expect(report.fault).toBe(fault);
  expect(report.message).toMatch(/^.+$/); // without the flag s: one line
  for (const part of parts) expect(report.message).toMatch(part);
}

function mountSmallDisk(): { name: string; dataDir: string; limitFileBlocks?: number }[] {
  const limited = { name: "a limit on file sizes", dataDir: makeFolder(), limitFileBlocks: 1024 };
  const disk = makeFolder();
  try {
    if (!isRoot) return [limited];
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=711", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return [limited]; // a root that may not mount, as in most containers
  }
  afterAll(() => void execFileSync("umount", [disk]));
  return [limited, { name: "a full disk", dataDir: disk }];
}
