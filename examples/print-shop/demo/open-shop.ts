/** Opens the print shop: warms the printers up and starts the server in this process. The only file of the demo that knows src. */
import { startServer } from "onejob/server";
import config from "../onejob.config.ts";
import type { PrintInput } from "../print-into-tray.ts";
import { renderDocument } from "../render-document.ts";
import type { Stage } from "./stage.ts";

export interface Shop {
  readonly url: string;
  readonly attemptTimeoutMs: number;
  stop(): Promise<void>;
}

export interface OpenShop {
  readonly stage: Stage;
  readonly document: PrintInput;
  /** Null for 4000, or any free one where that is taken. */
  readonly port: number | null;
}

/** The first time takes longer, for the fonts are opened: the printers are spared that, and the second time is what rendering takes. */
async function warmUp(document: PrintInput): Promise<number> {
  await renderDocument(document);
  const startMs = performance.now();
  await renderDocument(document);
  return performance.now() - startMs;
}

const pacedMs = 2_000;
/** In the end both printers render at once, and the machine may have got slower. */
const margin = 4;

/** On a slow machine, or with a long document, the laser must not be late as well: there everybody gets more time. */
function configFor(renderMs: number): { attemptTimeoutMs: number; config: typeof config } {
  const [print] = config.operations;
  if (print === undefined) throw new Error("the print shop offers nothing");
  const attemptTimeoutMs = Math.ceil(Math.max(print.attemptTimeoutMs ?? 0, pacedMs + margin * renderMs));
  return { attemptTimeoutMs, config: { ...config, operations: [{ ...print, attemptTimeoutMs }] } };
}

function isTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}

const preferredPort = 4_000;

/** Throws the server's own StartupFault, each of whose lines is for whoever started it. */
export async function openShop({ stage, document, port }: OpenShop): Promise<Shop> {
  const startMs = performance.now();
  const databaseUrl = process.env.DATABASE_URL;
  const dataDir = process.env.ONEJOB_DATA_DIR || ".onejob";
  stage.say("Warming the printers up …");
  const fitted = configFor(await warmUp(document));
  stage.say(databaseUrl ? "Opening the database of DATABASE_URL …" : `Starting the embedded database in ${dataDir} …`);
  const start = (chosen: number) =>
    startServer({
      config: fitted.config,
      port: chosen,
      ...(databaseUrl ? { databaseUrl } : { dataDir }),
      log: {
        debug: () => {},
        info: (event, fields) => {
          if (event === "database-starting") stage.tell(`${String(fields?.message)} …`);
        },
        // The story is about attempts that are given up: those warnings are part of it.
        warn: () => {},
        error: (event, fields) => stage.tell(`${event}: ${String(fields?.error)}`),
      },
    });
  const server = await start(port ?? preferredPort).catch((error: unknown) => {
    if (port !== null || !isTaken(error)) throw error;
    stage.say(`Port ${preferredPort} is taken, so a free one it is.`);
    return start(0);
  });
  stage.say(`Open at ${server.url} after ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  return { url: server.url, attemptTimeoutMs: fitted.attemptTimeoutMs, stop: () => server.stop() };
}
