// An embedded server in good order: data, settings, access, port and stop. Not what happens when something is broken.

import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { copyPackage, isRunning, makeFolder, query, readServerPid, serverAccount } from "./fixture.ts";

const dataDir = join(makeFolder(), ".onejob");
const cluster = join(dataDir, "postgres");
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir });
}, 60_000);
afterAll(() => server.stop());

test("a new data folder serves the empty database onejob", async () => {
  const tables = "select count(*)::int from pg_tables where schemaname = 'public'";
  expect(await query(server.url, tables)).toEqual([{ count: 0 }]);
  expect(new URL(server.url).pathname).toBe("/onejob");
});

test("the server is durable, checks its pages, and listens on loopback alone", async () => {
  const names =
    "fsync synchronous_commit data_checksums listen_addresses unix_socket_directories TimeZone shared_buffers";
  const columns = names.split(" ").map((name) => `current_setting('${name}') as "${name}"`);
  expect(await query(server.url, `select ${columns.join()}`)).toEqual([
    {
      fsync: "on",
      synchronous_commit: "on",
      data_checksums: "on",
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      TimeZone: "UTC",
      shared_buffers: "128MB",
    },
  ]);
});

test("text is UTF-8 and sorts by code point, whatever the machine's locale", async () => {
  const rows = await query(server.url, "select t from (values ('b'), ('ä'), ('B'), ('a')) v (t) order by t");
  expect(rows.map(({ t }) => t)).toEqual(["B", "a", "b", "ä"]);
  const [database] = await query(
    server.url,
    "select datlocprovider::text as provider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'onejob'",
  );
  expect(database).toEqual({ provider: "b", datlocale: "C.UTF-8", encoding: "UTF8" });
});

test("nobody gets in without the password, which only the server's own user can read", async () => {
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  const file = statSync(join(cluster, "onejob-password"));
  expect({ mode: file.mode & 0o777, uid: file.uid }).toEqual({ mode: 0o600, uid: serverAccount().uid });
  expect(statSync(cluster).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "postgres.log")).mode & 0o777).toBe(0o600);
});

test("data outlive a stop, which leaves no process and may be asked for twice", async () => {
  await query(server.url, "create table kept as select 42 as answer");
  const pid = readServerPid(cluster);
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(join(cluster, "postmaster.pid"))).toBe(false);

  server = await startEmbeddedPostgres({ dataDir });
  expect(await query(server.url, "select answer from kept")).toEqual([{ answer: 42 }]);
}, 30_000);

test("a port that somebody takes first, 5432 or the chosen one, does not matter", async () => {
  await server.stop();
  const [usual, other] = [await occupy(5432), await occupy(0)];
  const address = other?.address() as AddressInfo;
  const taken = address.port;
  // The real server, which at its first start is given the taken port, as if it had been taken in that moment.
  const packageDir = copyPackage(makeFolder());
  const program = join(packageDir, "native", "bin", "postgres");
  const mark = join(makeFolder(serverAccount()), "mark");
  renameSync(program, `${program}-real`);
  const losing = `[ "$1" = --version ] || [ -e ${mark} ] || { : > ${mark}; exec ${program}-real "$@" -c port=${taken}; }`;
  writeFileSync(program, `#!/bin/sh\n${losing}\nexec ${program}-real "$@"\n`);
  chmodSync(program, 0o755);

  server = await startEmbeddedPostgres({ dataDir, packageDir });
  expect(readFileSync(join(dataDir, "postgres.log"), "utf8")).toContain("Address already in use");
  expect([5432, taken]).not.toContain(server.port);
  expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
  usual?.close();
  other?.close();
}, 30_000);

/** Listens on the port; undefined when somebody else does already. */
function occupy(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const listener = createServer();
    listener.once("error", () => resolve(undefined));
    listener.listen(port, "127.0.0.1", () => resolve(listener));
  });
}
