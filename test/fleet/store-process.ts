/** A store in a process of its own, which does what it is told, so that it can be killed, and be seen to end by itself. */
import { openStore, type StoreOptions } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createOne } from "../support/store-kit.ts";

export type ToStore =
  | { readonly open: StoreOptions }
  | { readonly create: { readonly ownerId: string } }
  | { readonly close: true };
export type FromStore = { readonly opened: true } | { readonly jobId: string } | { readonly fault: string };

let store: Store | null = null;

function say(message: FromStore): void {
  process.send?.(message);
}

async function hear(message: ToStore): Promise<void> {
  if ("open" in message) {
    store = await openStore(message.open);
    say({ opened: true });
  } else if ("create" in message && store !== null) {
    say({ jobId: await createOne(store, message.create) });
  } else {
    // From here on nothing but what the store has left open keeps the process.
    process.disconnect();
    await store?.close();
  }
}

process.on("message", (message: ToStore) => {
  hear(message).catch((error: unknown) => say({ fault: String(error) }));
});
