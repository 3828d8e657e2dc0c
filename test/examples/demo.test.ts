/** Runs the demo as a person would, in a process of its own, and reads what it prints. What the server does in between other tests look into. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { listTray } from "../../examples/print-shop/paper-tray.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

const demo = fileURLToPath(new URL("../../examples/print-shop/demo.ts", import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const storyMs = 150_000;

interface Demo {
  readonly child: ChildProcess;
  output(): string;
  readonly ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

let database: TestDatabase;
let folder = "";
const started = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "onejob-demo-"));
});

afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

function startDemo(...args: string[]): Demo {
  const { FORCE_COLOR: _color, PORT: _port, ...kept } = process.env;
  const child = spawn(process.execPath, ["--conditions=onejob-source", "--import", tsx, demo, ...args], {
    cwd: tmpdir(),
    // As npm does it: the script runs elsewhere than the person stands.
    env: { ...kept, INIT_CWD: folder, DATABASE_URL: database.url, ONEJOB_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return { child, output: () => stdout, ended };
}

/** The events as they were shown: number, type, attempt. */
function eventsIn(text: string): string[] {
  const lines = text.matchAll(/^ {2}#(\d+) +\d+\.\d\d s +(\w+)(?: +attempt (\d) (\w+))?/gm);
  return [...lines].map(([, number, type, attempt, provider]) => [number, type, attempt, provider].join(" ").trim());
}

async function writeDocument(name: string): Promise<string> {
  const paragraph = `${"One click, one job. ".repeat(40)}\n\n`;
  await writeFile(path.join(folder, name), `# A document\n\n${paragraph.repeat(12)}- *the* **end**\n`);
  return name;
}

describe("the story", () => {
  test("comes out as told, and every line of it can be read without a terminal", { timeout: storyMs }, async () => {
    const { exitCode, stdout, stderr } = await startDemo(await writeDocument("story.md"), "--exit", "--port", "0")
      .ended;

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    // oxlint-disable-next-line no-control-regex -- their absence is the point
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const [opening = "", doubleClick = "", conflict = "", late = ""] = stdout.split(/^[123] {2}/m);

    expect(opening).toMatch(/^Open at http:\/\/127\.0\.0\.1:\d+ after /m);

    const answers = [...doubleClick.matchAll(/← click \d {2}CreateJobSuccess {2}(job_\w+), created: (\w+)/g)];
    expect(new Set(answers.map(([, id]) => id)).size).toBe(1);
    expect(answers.map(([, , created]) => created).filter((created) => created === "true")).toHaveLength(1);
    expect(eventsIn(doubleClick)).toEqual([
      "1 JOB_CREATED",
      "2 ATTEMPT_QUEUED 1 laser",
      "3 ATTEMPT_STARTING 1 laser",
      "4 ATTEMPT_RUNNING 1 laser",
      "5 ATTEMPT_SUCCEEDED 1 laser",
      "6 JOB_SUCCEEDED 1 laser",
    ]);
    // Progress is coalesced: not every page need be seen, but the last bar is full.
    expect(doubleClick).toMatch(/laser +█+░* +\d+ % {2}page \d of 3$/m);
    expect(doubleClick).toMatch(/laser +█+ 100 %/);
    expect(doubleClick).toMatch(/✓ one sheet in the tray: story-\w{6}-attempt-1-laser\.pdf, 3 pages/);

    expect(conflict).toContain("← IdempotencyConflict");
    expect(conflict).toContain("the two differ at /input/");

    const events = eventsIn(late);
    expect(events.map((event) => Number.parseInt(event, 10))).toEqual(
      Array.from({ length: 17 }, (_, index) => index + 1),
    );
    const types = events.map((event) => event.replace(/^\d+ /, ""));
    // On a slow machine it may come before the laser has ended; thrown away it is all the same.
    expect(types.lastIndexOf("RESULT_DISCARDED 2 inkjet")).toBeGreaterThan(10);
    expect(types.filter((type) => !type.startsWith("RESULT_DISCARDED"))).toEqual([
      "JOB_CREATED",
      "ATTEMPT_QUEUED 1 inkjet",
      "ATTEMPT_STARTING 1 inkjet",
      "ATTEMPT_RUNNING 1 inkjet",
      "ATTEMPT_FAILED 1 inkjet",
      "ATTEMPT_QUEUED 2 inkjet",
      "ATTEMPT_STARTING 2 inkjet",
      "ATTEMPT_RUNNING 2 inkjet",
      "ATTEMPT_UNKNOWN 2 inkjet",
      "ATTEMPT_CANCELLED 2 inkjet",
      "JOB_FAILED 2 inkjet",
      "ATTEMPT_QUEUED 3 laser",
      "ATTEMPT_STARTING 3 laser",
      "ATTEMPT_RUNNING 3 laser",
      "ATTEMPT_SUCCEEDED 3 laser",
      "JOB_SUCCEEDED 3 laser",
    ]);
    expect(late).toContain("← AttemptInFlight  attempt 2 is UNKNOWN");
    expect(late).toContain("← ProviderNotCertified  NEVER_RUN");
    expect(late).toMatch(/^ +2 inkjet {2}CANCELLED {2}story-\w{6}-attempt-2-inkjet\.pdf {2}came late, thrown away$/m);
    expect(late).toContain("3 sheets, 2 jobs, 2 results");

    const tray = path.join(folder, "tray");
    const sheets = await listTray(tray);
    expect(sheets).toHaveLength(3);
    for (const sheet of sheets)
      expect((await readFile(path.join(tray, sheet))).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("stops in the middle when it is asked to", { timeout: storyMs }, async () => {
    const running = startDemo(await writeDocument("stopped.md"), "--port", "0");
    await waitUntil("an attempt runs", () => running.output().includes("ATTEMPT_RUNNING"), storyMs / 2);
    running.child.kill("SIGINT");
    running.child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await running.ended;
    expect({ exitCode, stderr, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      exitCode: 130,
      stderr: "",
      last: "Stopping …",
    });
  });
});

describe("what it cannot start with is answered with one line", () => {
  async function expectRefusal(args: string[], line: RegExp): Promise<void> {
    const { exitCode, stderr } = await startDemo(...args).ended;
    expect(stderr).toMatch(line);
    expect({ exitCode, lines: stderr.trimEnd().split("\n").length }).toEqual({ exitCode: 1, lines: 1 });
  }

  test("a file that is not there, a folder, an unknown option", { timeout: 60_000 }, async () => {
    await expectRefusal(["nowhere.md"], /^Cannot print .*nowhere\.md: there is no such file\.$/m);
    await expectRefusal(["."], /^Cannot print .*: it is a folder\.$/m);
    await expectRefusal(["--colour"], /^Unknown option '--colour': --help shows what there is\.$/m);
  });

  test("a file that is no text, or too much of it", { timeout: 60_000 }, async () => {
    await writeFile(path.join(folder, "picture.png"), Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff));
    await expectRefusal(["picture.png"], /^Cannot print .*picture\.png: it is no text in UTF-8\.$/m);
    // As a file it would fit, and as JSON, with every line end escaped, it does not.
    await writeFile(path.join(folder, "long.txt"), "\n".repeat(200 * 1024));
    await expectRefusal(["long.txt"], /^Cannot print .*long\.txt: it is too large: 401 KiB as a job's input, /m);
  });

  test("a port that is taken", { timeout: 60_000 }, async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      await expectRefusal(
        [await writeDocument("port.md"), "--port", String(port)],
        new RegExp(`port ${port} .*is taken`),
      );
    } finally {
      holder.close();
    }
  });
});
