/** The server of bench:live, which also says what it costs: memory after a collection, and the processor's time and a profile of it. It knows neither clients nor rounds. */
import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { startServer } from "../../../src/server/compose.ts";
import { benchConfig } from "./bench-config.ts";
import { answerParent } from "./child.ts";

export interface Held {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

const server = await startServer({ config: benchConfig, port: 0, databaseUrl: process.argv[2] ?? "" });
const session = new Session();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const answers = {
  url: (_: null): string => server.url,
  cpuMs: (_: null): number => cpuMs(),
  /** Of what is still held: twice, since the first collection lets go of what the second one frees. */
  async memory(_: null): Promise<Held> {
    const collect = globalThis.gc;
    if (collect === undefined) throw new Error("Start it with --expose-gc.");
    for (let turn = 0; turn < 2; turn += 1) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { rss, heapUsed } = process.memoryUsage();
    return { rssBytes: rss, heapBytes: heapUsed };
  },
  async startProfile(_: null): Promise<void> {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
  },
  async writeProfile(path: string): Promise<void> {
    const { profile } = await session.post("Profiler.stop");
    await writeFile(path, JSON.stringify(profile));
    session.disconnect();
  },
};
export type ServerAnswers = typeof answers;

answerParent(answers);
