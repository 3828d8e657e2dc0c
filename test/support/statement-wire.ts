/**
 * A wire between a server and PostgreSQL that writes down each statement at the moment at which it is to be executed, as the
 * protocol carries it. It changes nothing on the way, and knows nothing of who sends what.
 */
import { openWire, type Wire } from "./wire.ts";

export interface StatementWire extends Wire {
  /** What was executed while the work went on, statement by statement, the listener's heartbeat left out. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/** Every few seconds a process sends itself a notification, whatever else it does. */
const pulse = /^select pg_notify\(\$1, \$2\)$/;

/** Requests for encryption come before the start-up message, and look like it. */
const encryptionRequests = new Set([80_877_103, 80_877_104]);

/** Reads what a client sends: a start-up message without a type, then messages of a type, a length and a body. */
export function readMessages(note: (statement: string) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  const portals = new Map<string, string>();
  let unread = Buffer.alloc(0);
  let isStarted = false;

  function read(type: string, body: Buffer): void {
    const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
    if (type === "P") prepared.set(first, second);
    if (type === "B") portals.set(first, prepared.get(second) ?? `an unknown statement ${second}`);
    if (type === "E") note(portals.get(first) ?? `an unknown portal ${first}`);
    if (type === "Q") note(first);
  }

  return (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (unread.length < start + 4) return;
      const end = start + unread.readInt32BE(start);
      if (unread.length < end) return;
      const body = unread.subarray(start + 4, end);
      if (isStarted) read(String.fromCharCode(unread[0] ?? 0), body);
      else isStarted = !encryptionRequests.has(body.readInt32BE(0));
      unread = unread.subarray(end);
    }
  };
}

export async function openStatementWire(databaseUrl: string): Promise<StatementWire> {
  const executed: string[] = [];
  const wire = await openWire(databaseUrl, ({ client, database }) => {
    client.on(
      "data",
      readMessages((statement) => executed.push(statement)),
    );
    client.pipe(database);
    database.pipe(client);
  });
  return {
    ...wire,
    async during(work) {
      const before = executed.length;
      await work();
      return executed.slice(before).filter((statement) => !pulse.test(statement.trim()));
    },
  };
}
