/**
 * Records a history: several client processes against two servers on one database, one of which is killed now and then. All of it
 * goes by the number of calls, so that a slow machine takes longer and meets no less. It checks nothing.
 */

import { tokens } from "../support/api-config.ts";
import { type ApiProcess, startApiProcess } from "../support/api-process.ts";
import type { Operation } from "./operation.ts";
import { startClients } from "./start-clients.ts";

export interface Recording {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly clients: number;
  /** Calls that each client has under way. */
  readonly lanes: number;
  /** Asked after every so many calls: whether there is enough. */
  isEnough(history: readonly Operation[]): boolean;
  /** A server is killed whenever so many calls more were made, one after the other. */
  readonly killEvery: number;
  /** Whether a killed server is started again, at another address. */
  readonly restart: boolean;
  /** Flags for the servers' Node, before the program. */
  readonly nodeFlags?: readonly string[];
  say?(line: string): void;
}

const serverCount = 2;
const callsPerEra = 25;

/** By the time of invocation. */
export async function recordHistory(recording: Recording): Promise<readonly Operation[]> {
  const { databaseUrl, killEvery, restart, seed, lanes, say = () => {} } = recording;
  const start = () => startApiProcess(databaseUrl, {}, recording.nodeFlags);
  const servers = await Promise.all(Array.from({ length: serverCount }, start));
  const history: Operation[] = [];
  let nextKill = killEvery;
  const killings: Promise<void>[] = [];
  let kills = 0;

  async function kill(): Promise<void> {
    const place = kills % serverCount;
    kills += 1;
    await servers[place]?.kill();
    say(`Server ${place} was killed after ${history.length} calls.`);
    if (!restart) return;
    const server: ApiProcess = await start();
    servers[place] = server;
    clients.tell({ kind: "server", place, url: server.url });
    nextKill = history.length + killEvery;
    say(`Server ${place} is back after ${history.length} calls.`);
  }

  const record = (operation: Operation): void => {
    history.push(operation);
    if (history.length >= nextKill) {
      nextKill = Number.POSITIVE_INFINITY;
      const killing = kill();
      killing.catch(() => clients.kill());
      killings.push(killing);
    }
    if (history.length % callsPerEra !== 0) return;
    clients.tell({ kind: "era", era: history.length / callsPerEra });
    if (recording.isEnough(history)) clients.tell({ kind: "stop" });
  };

  const common = {
    seed,
    lanes,
    servers: servers.map(({ url }) => url),
    tokens: { owner: tokens.ann, worker: tokens.worker, operator: tokens.operator },
  };
  const clients = await startClients(recording.clients, common, record);
  try {
    clients.begin();
    await clients.finished;
  } finally {
    clients.kill();
    await Promise.all(killings);
    await Promise.all(servers.map((server) => server.kill()));
  }
  return history.toSorted((one, other) => one.invokedAt - other.invokedAt);
}
