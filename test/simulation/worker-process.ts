/** One process of a run: opens a scene on the database that it is told of, plays the seeds that it is sent, and reports each. */
import { loadSystem } from "./load-system.ts";
import { openScene, type Scene } from "./open-scene.ts";
import { runSeed, type SeedReport } from "./run-seed.ts";

export interface Setting {
  readonly url: string;
  /** Source tree of the store: the repository's own, or a mutant's. */
  readonly root: string;
  readonly guarded: boolean;
  readonly steps: number;
}

export type ToWorker = { readonly setting: Setting } | { readonly seed: number } | { readonly end: true };
export type FromWorker =
  | { readonly ready: true }
  | { readonly seed: number; readonly report: SeedReport }
  | { readonly fault: string };

let scene: Scene | null = null;
let steps = 0;

function say(message: FromWorker): void {
  process.send?.(message);
}

async function hear(message: ToWorker): Promise<void> {
  if ("setting" in message) {
    const { url, root, guarded } = message.setting;
    steps = message.setting.steps;
    scene = await openScene(await loadSystem(root), url, guarded);
    say({ ready: true });
  } else if ("seed" in message && scene !== null) {
    say({ seed: message.seed, report: await runSeed(scene, message.seed, steps) });
  } else {
    await scene?.close();
    process.disconnect();
  }
}

// Whoever sent the seeds is gone, or has no more of them.
process.once("disconnect", () => process.exit());
process.on("message", (message: ToWorker) => {
  hear(message).catch((error: unknown) => {
    say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.disconnect();
  });
});
