// Starts the embedded server in a process of its own and reports in lines of JSON. Run by the tests; contains none.

import { createInterface } from "node:readline";
import postgres from "postgres";
import type { Account } from "../../../src/server/embedded-postgres/choose-account.ts";
import {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from "../../../src/server/embedded-postgres/start-embedded-postgres.ts";
import type { Report } from "./fixture.ts";

type Options = { dataDir: string; packageDir?: string; user?: Account };

const { user, ...options } = JSON.parse(process.argv[2] ?? "") as Options;
const report = (line: Report) => process.stdout.write(`${JSON.stringify(line)}\n`);

// Only now, when all code is loaded: the user need not be able to read it.
if (user !== undefined) {
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
}

try {
  const server = await startEmbeddedPostgres({
    ...options,
    log: (log) => report({ log }),
    onProgress: (step) => report({ step }),
  });
  process.on("SIGINT", () => void reportWhetherItAnswers(server.url));
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => void (line === "stop" ? server.stop() : Promise.resolve()).then(() => process.exit()));
  input.on("close", () => process.exit()); // the tests have died
  report({ url: server.url });
} catch (error) {
  const { fault, message } = error as EmbeddedPostgresError;
  report({ fault: error instanceof EmbeddedPostgresError ? fault : "not an EmbeddedPostgresError", message });
  process.exitCode = 1;
}

async function reportWhetherItAnswers(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`select 1`.then(
    () => report({ interrupted: true }),
    () => report({ interrupted: false }),
  );
  await sql.end();
}
