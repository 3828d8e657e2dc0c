/** A server of the test's own whose statements are counted on the wire to the database. It does nothing by the clock, so that what is counted was asked for. */
import { type ApiServer, startApiServer } from "./api-server.ts";
import { openStatementWire, type StatementWire } from "./statement-wire.ts";
import { createMigratedDatabase } from "./test-database.ts";

export interface CountedServer extends ApiServer {
  /** The statements that the server had executed while the work went on. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
}

/** Longer than any test. */
const never = 3_600_000;

export async function startCountedServer(): Promise<CountedServer> {
  const database = await createMigratedDatabase();
  const wire: StatementWire = await openStatementWire(database.url);
  const runtime = { sweepMs: never, claimPollMs: never, feedPollMs: never };
  const server = await startApiServer({ databaseUrl: wire.url, runtime });
  return {
    ...server,
    statementsOf: (work) => wire.during(work),
    async stop() {
      await server.stop();
      await wire.close();
      await database.drop();
    },
  };
}
