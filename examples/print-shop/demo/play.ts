/** Plays the whole story on an open shop, act by act, and stays until it is asked to stop. The acts are in files of their own. */
import type { PrintInput } from "../print-into-tray.ts";
import type { Act } from "./act.ts";
import { playDoubleClick, playOtherDocument } from "./double-click.ts";
import { hearSignals } from "./hear-signals.ts";
import { playLateInkjet } from "./late-inkjet.ts";
import { openShop } from "./open-shop.ts";
import { connectTo } from "./public-api.ts";
import { showTray } from "./show-tray.ts";
import { openStage, paint } from "./stage.ts";

export interface Play {
  readonly document: PrintInput;
  readonly port: number | null;
  /** Ends after the story. */
  readonly exit: boolean;
}

/** Beyond what the script takes: the last thing to wait for comes some seconds after a deadline. */
const spareMs = 30_000;

async function playStory(act: Act): Promise<void> {
  const clicked = await playDoubleClick(act);
  await playOtherDocument(act, clicked);
  const late = await playLateInkjet(act);
  await showTray(act, [clicked.jobId, late]);
}

/** Resolves with the exit code. Throws a Complaint when something comes out otherwise than told. */
export async function play({ document, port, exit }: Play): Promise<number> {
  const stage = openStage(process.stdout);
  const interruption = hearSignals(() => stage.endWith("Stopping …"));
  stage.say(paint("bold", "The print shop of Onejob"));
  const shop = await openShop({ stage, document, port });
  const api = connectTo(shop.url);
  try {
    const act = { api, stage, document, patienceMs: shop.attemptTimeoutMs + spareMs };
    if (interruption.exitCode === null) await Promise.race([playStory(act), interruption.comes]);
    if (interruption.exitCode !== null) return interruption.exitCode;
    if (exit) return 0;
    stage.say(`\nGraphiQL: ${shop.url}/graphql — press Ctrl-C to stop`);
    await interruption.comes;
    return 0;
  } finally {
    stage.keepBar();
    await api.close();
    await shop.stop();
  }
}
