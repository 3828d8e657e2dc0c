/** The server of the benchmark of progress, in a process of its own: a provider whose attempts never end and report when told to, and what it counts. It measures nothing. */
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { defineConfig, defineOperation, externalProvider, type OnejobConfig } from "onejob";
import { z } from "zod";
import { startServer } from "../../src/server/compose.ts";

export interface Counts {
  /** Reports that the provider has made. */
  offered: number;
  /** Reports that were written, and the statements that it took. */
  written: number;
  statements: number;
  cpuMs: number;
}

export interface BenchServer {
  readonly url: string;
  counts(): Promise<Counts>;
  /** Whether the attempts in the server report from now on. */
  report(isReporting: boolean): Promise<Counts>;
  stop(): void;
}

type Provider = NonNullable<OnejobConfig["providers"]>[number];

const hourMs = 3_600_000;
const lasting = { effectClass: "PURE", input: z.json(), output: z.json(), attemptTimeoutMs: hourMs } as const;

export async function serveProgress(
  databaseUrl: string,
  { jobs, rate, windowMs }: { readonly jobs: number; readonly rate: number; readonly windowMs: number },
): Promise<void> {
  const counts: Counts = { offered: 0, written: 0, statements: 0, cpuMs: 0 };
  let isReporting = false;
  const clockwork: Provider = {
    name: "clockwork",
    revision: "1",
    description: null,
    concurrency: jobs,
    async run({ signal, reportProgress }) {
      for (let step = 0; !signal.aborted; step += 1) {
        // Not all at the same moment.
        await pause(step === 0 ? (Math.random() * 1_000) / rate : 1_000 / rate);
        if (!isReporting) continue;
        counts.offered += 1;
        reportProgress({ fraction: (step % 1_000) / 1_000, message: null });
      }
      throw new Error("It was given up.");
    },
  };
  const external = externalProvider({ name: "inkjet", revision: "1" });
  const config = defineConfig({
    live: { progressMs: windowMs },
    limits: { subscriptionsPerOwner: 10_000, subscriptionsPerConnection: 1_000 },
    providers: [external, externalProvider({ name: "plotter", revision: "1" }), clockwork],
    operations: [
      defineOperation({ ...lasting, name: "print", providers: ["inkjet"] }),
      defineOperation({ ...lasting, name: "plot", providers: ["plotter"], leaseMs: 600_000 }),
      defineOperation({ ...lasting, name: "report", providers: ["clockwork"] }),
    ],
  });
  const server = await startServer({ config, port: 0, databaseUrl });
  server.store.onHint(({ jobIds, queued }) => {
    // While it is measured nothing is claimed and nothing ends: what is told beside new jobs is progress.
    if (queued) return;
    counts.written += jobIds.length;
    counts.statements += 1;
  });
  process.on("message", (told: { readonly report?: boolean }) => {
    isReporting = told.report ?? isReporting;
    const { user, system } = process.cpuUsage();
    process.send?.({ ...counts, cpuMs: (user + system) / 1_000 });
  });
  process.send?.({ url: server.url });
}

/** Runs the file again with `--serve`. */
export async function startProgressServer(
  file: string,
  databaseUrl: string,
  more: readonly string[],
): Promise<BenchServer> {
  const child = spawn(process.execPath, [...process.execArgv, file, `--serve=${databaseUrl}`, ...more], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const answer = <Message>() =>
    new Promise<Message>((resolve) => child.once("message", (said) => resolve(said as Message)));
  const { url } = await answer<{ url: string }>();
  const ask = (told: { readonly report?: boolean }): Promise<Counts> => {
    const said = answer<Counts>();
    child.send(told);
    return said;
  };
  return {
    url,
    counts: () => ask({}),
    report: (isReporting) => ask({ report: isReporting }),
    stop: () => void child.kill("SIGKILL"),
  };
}
