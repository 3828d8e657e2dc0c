/** A request that the test writes onto a connection byte by byte, as slow or broken as it likes. It knows no HTTP. */
import { connect } from "node:net";
import { waitUntil } from "./wait-until.ts";

export interface RawRequest {
  /** What has been answered so far. */
  readonly answer: string;
  readonly isClosed: boolean;
  write(text: string): void;
  /** Waits until the server has closed the connection, and gives all that it said. */
  closed(): Promise<string>;
  cut(): void;
}

export async function openRawRequest(port: number): Promise<RawRequest> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  let isClosed = false;
  socket.on("data", (data) => {
    answer += data.toString("latin1");
  });
  // What is written after the server has closed is refused with an error; "close" follows.
  socket.on("error", () => {});
  socket.once("close", () => {
    isClosed = true;
  });
  await waitUntil("the connection is made, if only to be closed", () => isClosed || socket.readyState === "open");
  return {
    get answer() {
      return answer;
    },
    get isClosed() {
      return isClosed;
    },
    write: (text) => void socket.write(text),
    closed: async () => {
      await waitUntil("the server has closed the connection", () => isClosed);
      return answer;
    },
    cut: () => void socket.resetAndDestroy(),
  };
}

/** The head of a POST to the API; `headers` are whole lines. */
export function headOf(headers: readonly string[]): string {
  return ["POST /graphql HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", ...headers, "", ""].join(
    "\r\n",
  );
}
