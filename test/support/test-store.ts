/** Opens the real store on a fresh, migrated database, with a connection beside it for looking and for holding locks. */
import postgres from "postgres";
import { openStore, type StoreOptions } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createMigratedDatabase } from "./test-database.ts";

export interface TestStore {
  readonly store: Store;
  /** Outside the store: as a person in psql would be, with several sessions. */
  readonly sql: postgres.Sql;
  readonly url: string;
  /** A further store on the same database, as another server process would have. */
  openAnother(): Promise<Store>;
  close(): Promise<void>;
}

export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<TestStore> {
  const database = await createMigratedDatabase();
  const { url } = database;
  const opened: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await openStore({ poolSize: 4, ...options, url });
    opened.push(store);
    return store;
  };
  const store = await open();
  const sql = postgres(url, { max: 8, onnotice: () => {} });
  return {
    store,
    sql,
    url,
    openAnother: open,
    async close() {
      await Promise.all(opened.map((one) => one.close()));
      await sql.end({ timeout: 5 });
      await database.drop();
    },
  };
}
