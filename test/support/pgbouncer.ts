/** A PgBouncer of the test's own in transaction mode, in front of the run's PostgreSQL. It has to be installed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { waitUntil } from "./wait-until.ts";

/** "nobody": PgBouncer does not run as root. */
const unprivileged = 65_534;

export interface Pooler {
  /** The same database, through the pooler. */
  through(directUrl: string): string;
  /** Ends it at once, as a crash does; its clients' connections break. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Has it open new sessions, which know what was changed of roles meanwhile. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "string" || address === null) throw new Error("no port");
  return address.port;
}

/** `poolSize` sessions for everybody together, so that consecutive statements of one client meet several. */
export async function startPooler(databaseUrl: string, poolSize = 3): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), "onejob-pooler-"));
  const port = await findFreePort();
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  const settings = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${databasePort || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
admin_users = ${decodeURIComponent(username)}
server_login_retry = 0
`,
  );
  await chmod(folder, 0o755);
  let child: ChildProcess | null = null;

  const through = (directUrl: string): string => {
    const url = new URL(directUrl);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };

  async function answers(): Promise<boolean> {
    const sql = postgres(through(databaseUrl), { max: 1, prepare: false, connect_timeout: 1, onnotice: () => {} });
    try {
      await sql`select 1`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  async function start(): Promise<void> {
    const identity = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {};
    child = spawn("pgbouncer", ["--quiet", settings], { stdio: ["ignore", "ignore", "inherit"], ...identity });
    await once(child, "spawn");
    await waitUntil("PgBouncer answers", answers);
  }

  async function kill(): Promise<void> {
    if (child === null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = null;
  }

  await start();
  return {
    through,
    kill,
    start,
    async reconnect() {
      const console = new URL(through(databaseUrl));
      console.pathname = "/pgbouncer";
      const sql = postgres(console.href, { max: 1, fetch_types: false, onnotice: () => {} });
      await sql.unsafe("RECONNECT").simple();
      await sql.end();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
