/**
 * Asks whether something that speaks PostgreSQL's protocol answers at an address, before the database's client is let
 * loose on it: that one tries for ever where a connection is taken and closed again. It logs in to nothing.
 */
import { connect } from "node:net";

const answerTimeoutMs = 8_000;

/** The client's first words when it would like to encrypt: the length, and a code in place of a version. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** Yes, no, and the error of a server that takes no connection now: with each of them it has shown what it is. */
const answers: ReadonlySet<string> = new Set(["S", "N", "E"]);

function fault(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Rejects with an error whose `code` is Node's, or ETIMEDOUT, or NOT_POSTGRES. A socket in the file system is not asked. */
export async function probePostgres(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  if (hostname === "") return;
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: Number(port || 5_432) });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(answerTimeoutMs, () => reject(fault("ETIMEDOUT")));
      socket.once("error", reject);
      socket.once("connect", () => socket.write(sslRequest));
      socket.once("data", (data) =>
        answers.has(String.fromCharCode(data[0] ?? 0)) ? resolve() : reject(fault("NOT_POSTGRES")),
      );
      socket.once("close", () => reject(fault("NOT_POSTGRES")));
    });
  } finally {
    socket.destroy();
  }
}
