// Whoever starts it and wherever the clone lies, the embedded server runs. As root and as anybody else these tests differ
// in what they can set up, not in what they demand.

import { chmodSync, existsSync, lstatSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openShelter } from "../../../src/server/embedded-postgres/open-shelter.ts";
import { startEmbeddedPostgres } from "../../../src/server/embedded-postgres/start-embedded-postgres.ts";
import {
  copyPackage,
  findReachablePackage,
  isRoot,
  makeFolder,
  ordinary,
  query,
  removeAfterwards,
  serverAccount,
  startInChild,
} from "./fixture.ts";

test("an ordinary user's data are that user's own", async () => {
  const folder = makeFolder(ordinary, 0o700);
  const start = startInChild({ dataDir: join(folder, ".onejob"), packageDir: findReachablePackage(), user: ordinary });
  const { url = "" } = await start.until((report) => report.url !== undefined);
  expect(await query(url, "select current_user as name")).toEqual([{ name: "onejob" }]);
  expect(statSync(join(folder, ".onejob", "postgres")).uid).toBe(ordinary?.uid ?? process.getuid?.());
  start.process.stdin?.write("stop\n");
  await start.ended;
}, 60_000);

test("a clone under a folder closed to others works, and finds its data again", async () => {
  const closed = makeFolder(undefined, 0o700);
  const packageDir = withVersion(copyPackage(closed), "0.0.0-closed");
  const dataDir = join(closed, ".onejob");
  removeAfterwards(copyPlace(dataDir, "0.0.0-closed"));
  const first = await startEmbeddedPostgres({ dataDir, packageDir });
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();

  const second = await startEmbeddedPostgres({ dataDir, packageDir });
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.stop();

  const record = join(dataDir, "postgres-location");
  expect(existsSync(record)).toBe(isRoot); // an ordinary user's PostgreSQL passes where that user does
  const home = isRoot ? readFileSync(record, "utf8").trim() : dataDir;
  removeAfterwards(home);
  expect(statSync(join(home, "postgres")).uid).toBe(serverAccount().uid);
}, 60_000);

test("library links that a blocked install script did not make are made in a copy", async () => {
  const folder = makeFolder();
  const packageDir = withVersion(copyPackage(folder), "0.0.0-unlinked");
  const links = JSON.parse(readFileSync(join(packageDir, "native", "pg-symlinks.json"), "utf8")) as {
    target: string;
  }[];
  for (const { target } of links) if (isLink(join(packageDir, target))) unlinkSync(join(packageDir, target));

  const dataDir = join(folder, ".onejob");
  const copy = copyPlace(dataDir, "0.0.0-unlinked");
  removeAfterwards(copy);
  const server = await startEmbeddedPostgres({ dataDir, packageDir });
  await server.stop();
  expect(isLink(join(copy, links[0]?.target ?? ""))).toBe(true);
}, 60_000);

/** Where a copy of the programs goes. */
function copyPlace(dataDir: string, version: string): string {
  return join(isRoot ? openShelter(serverAccount()) : dataDir, `postgresql-${version}-${process.arch}`);
}

function withVersion(packageDir: string, version: string): string {
  writeFileSync(join(packageDir, "package.json"), JSON.stringify({ version }));
  chmodSync(packageDir, 0o755);
  return packageDir;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
