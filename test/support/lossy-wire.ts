/** A wire between a store and PostgreSQL that can lose answers: the statement is carried out, and its connection is cut before anybody hears of it. */
import { openWire, type Wire } from "./wire.ts";

export interface LossyWire extends Wire {
  /** From now on every answer is lost with its connection, until told otherwise. */
  lose(answers: boolean): void;
}

export async function openLossyWire(databaseUrl: string): Promise<LossyWire> {
  let loses = false;
  const wire = await openWire(databaseUrl, ({ client, database }) => {
    client.pipe(database);
    database.on("data", (bytes) => {
      if (loses) client.destroy();
      else client.write(bytes);
    });
  });
  return {
    ...wire,
    lose(answers) {
      loses = answers;
    },
  };
}
