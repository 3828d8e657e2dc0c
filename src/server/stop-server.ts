/** Stops a running server in the order in which its parts depend on each other, whatever state they are in. It exits nothing. */
import { settlesWithin } from "../runtime/clock.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { HttpListener } from "./http-listener.ts";
import type { ServerLog } from "./log.ts";
import type { OpenDatabase } from "./open-database.ts";
import type { Served } from "./route.ts";

export interface Running {
  readonly listener: HttpListener;
  readonly database: OpenDatabase;
  readonly runtime: Runtime;
  readonly served: Served;
  /** For running attempts to end. */
  readonly graceMs: number;
}

/** After the runtime has stopped only answers under way are left. */
const lastAnswersMs = 2_000;
/** Beyond what a step takes by itself. With a database that is gone, a statement may never come back. */
const patienceMs = 3_000;
const closeStoreMs = 8_000;

/** Readiness is off already. Whoever is connected goes first, what they wait for next, what all of it stands on last. */
export async function stopServer(running: Running, log: ServerLog): Promise<void> {
  const { listener, database, runtime, served, graceMs } = running;

  /** A step that fails or hangs is told of, and the next one follows all the same. */
  async function step(name: string, work: Promise<unknown>, limitMs: number): Promise<void> {
    const settled = work.catch((error: unknown) => log.error("stop-failed", { step: name, error }));
    if (!(await settlesWithin(settled, limitMs))) log.warn("stop-overdue", { step: name, limitMs });
  }

  listener.refuse();
  await step("sockets", served.sockets.close(), patienceMs);
  await step("runtime", runtime.stop({ graceMs }), graceMs + patienceMs);
  await step("endpoint", Promise.resolve(served.endpoint.dispose()), patienceMs);
  await step("http", listener.close(lastAnswersMs), lastAnswersMs + patienceMs);
  await step("store", database.store.close(), closeStoreMs);
  await database.stop();
}
