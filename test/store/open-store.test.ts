/** The store opens on databases in any state that an honest operator may leave. */
import { expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { createTestDatabase } from "../support/test-database.ts";

test("six stores opening an empty database at once all come up on the same schema", async () => {
  const database = await createTestDatabase();
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStore({ url: database.url, poolSize: 1 })));
  await expect(Promise.all(stores.map((store) => store.read.ping()))).resolves.toHaveLength(6);
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});
