// One owner per data folder, and the next start repairs what a killed one left. Kills real processes.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFolder } from "../../../src/server/embedded-postgres/claim-folder.ts";
import { startEmbeddedPostgres } from "../../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { waitUntil } from "../../../src/server/embedded-postgres/wait-until.ts";
import { isRunning, makeFolder, query, readServerPid, serverAccount, startInChild } from "./fixture.ts";

const dataDir = join(makeFolder(), ".onejob");
const cluster = join(dataDir, "postgres");
const isReady = (report: { url?: string }) => report.url !== undefined;

test("an initialisation killed halfway is done again, and leaves nothing", async () => {
  const start = startInChild({ dataDir });
  await start.until(({ step }) => step === "Creating the database files");
  const drafts = () => readdirSync(dataDir).filter((name) => name.startsWith("postgres.new-"));
  const isHalfDone = () => drafts().some((name) => existsSync(join(dataDir, name, "data", "PG_VERSION")));
  expect(await waitUntil(isHalfDone, 20_000)).toBe(true);
  start.process.kill("SIGKILL");
  await start.ended;
  expect(existsSync(cluster)).toBe(false);

  const server = await startEmbeddedPostgres({ dataDir });
  expect(drafts()).toEqual([]);
  await query(server.url, "create table kept as select 42 as answer");
  await server.stop();
}, 60_000);

test("a server whose parent was killed is stopped by the next start, and nothing committed is lost", async () => {
  const start = startInChild({ dataDir });
  const { url = "" } = await start.until(isReady);
  await query(url, "update kept set answer = 43");
  const orphan = readServerPid(cluster);
  start.process.kill("SIGKILL");
  await start.ended;
  expect(isRunning(orphan)).toBe(true);

  const lines: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  expect(isRunning(orphan)).toBe(false);
  expect(lines).toEqual([expect.stringContaining(`process ${orphan}`)]);
  expect(await query(server.url, "select answer from kept")).toEqual([{ answer: 43 }]);
  await server.stop();
}, 60_000);

test("Ctrl-C in the terminal reaches the parent, not the server; a parent that exits takes the server along", async () => {
  const start = startInChild({ dataDir });
  await start.until(isReady);
  const pid = readServerPid(cluster);
  process.kill(-start.pid, "SIGINT"); // the whole process group, as a terminal does
  expect(await start.until(({ interrupted }) => interrupted !== undefined)).toEqual({ interrupted: true });

  start.process.stdin?.write("exit\n");
  await start.ended;
  expect(await waitUntil(() => !isRunning(pid), 20_000)).toBe(true);
}, 60_000);

test("parent and server killed together: neither the pid file, with a reused id, nor a busy session is an obstacle", async () => {
  const start = startInChild({ dataDir });
  const { url = "" } = await start.until(isReady);
  await query(url, "update kept set answer = 44");
  const pid = readServerPid(cluster);
  const session = await beginBusySession(url);
  start.process.kill("SIGKILL");
  process.kill(pid, "SIGKILL");
  await start.ended;
  expect(await waitUntil(() => !isRunning(pid), 20_000)).toBe(true);
  expect(existsSync(join(cluster, "postmaster.pid"))).toBe(true);
  expect(isRunning(session)).toBe(true);

  const { uid, gid } = serverAccount();
  const stranger = spawn("sleep", ["60"], { uid, gid, cwd: "/" });
  writeFileSync(join(cluster, "postmaster.pid"), `${stranger.pid}\n${cluster}\n1\n1\n\n127.0.0.1\n0 0\nready\n`);
  const server = await startEmbeddedPostgres({ dataDir });
  expect(await query(server.url, "select answer from kept")).toEqual([{ answer: 44 }]);
  expect(stranger.kill()).toBe(true);
  expect(isRunning(session)).toBe(false);
  await server.stop();
}, 60_000);

test("of two starts at once on a new folder one serves, and the other names it", async () => {
  const contested = join(makeFolder(), ".onejob");
  const starts = [startInChild({ dataDir: contested }), startInChild({ dataDir: contested })];
  const results = await Promise.all(
    starts.map((start) => start.until(({ url, fault }) => (url ?? fault) !== undefined)),
  );
  const winner = results.findIndex(({ url }) => url !== undefined);
  expect(results.filter(({ url }) => url !== undefined)).toHaveLength(1);
  const loser = results[1 - winner];
  expect(loser?.fault).toBe("IN_USE");
  expect(loser?.message).toMatch(/^The data folder .* is in use by process \d+: .*DATABASE_URL\.$/);
  expect(loser?.message).toContain(`process ${starts[winner]?.pid}:`);
  expect(await query(results[winner]?.url ?? "", "select 1 as one")).toEqual([{ one: 1 }]);
  starts[winner]?.process.stdin?.write("stop\n");
  await starts[winner]?.ended;
}, 60_000);

test("a claim holds while its process lives, and a reused process id is not taken for it", () => {
  const folder = makeFolder();
  const claim = claimFolder(folder);
  expect(() => claimFolder(folder)).toThrow(`in use by process ${process.pid}`);
  claim.release();
  claimFolder(folder).release();

  writeFileSync(join(folder, "owner.7"), `${process.pid} another-start-time`);
  claimFolder(folder);
  expect(readdirSync(folder)).toEqual(["owner.8"]);
});

/** The process id of a session that computes for minutes and meanwhile looks at nothing. */
async function beginBusySession(url: string): Promise<number> {
  const busy = "select count(*) from generate_series(1, 1000000000) n where md5(n::text) = 'busy'";
  query(url, busy).catch(() => {}); // ends with its server
  for (;;) {
    const [row] = await query(
      url,
      "select pid from pg_stat_activity where query like '%''busy''' and state = 'active'",
    );
    if (row !== undefined) return Number(row["pid"]);
  }
}
