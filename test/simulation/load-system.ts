/** Loads what is simulated: the store and the intent's digests of a source tree, the repository's own or a mutant's. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { digestIntent, resolveIntent } from "../../src/domain/intent.ts";
import type { openStore } from "../../src/store/open-store.ts";

export const repository = join(import.meta.dirname, "..", "..");

export interface System {
  readonly openStore: typeof openStore;
  readonly digestIntent: typeof digestIntent;
  readonly resolveIntent: typeof resolveIntent;
}

export async function loadSystem(root = repository): Promise<System> {
  const load = async (path: string): Promise<object> => (await import(pathToFileURL(join(root, path)).href)) as object;
  return { ...(await load("src/store/open-store.ts")), ...(await load("src/domain/intent.ts")) } as System;
}
