/** Follows jobs over WebSockets that each carry many subscriptions. It speaks as much of graphql-transport-ws as that takes, so as to cost little. */
import { once } from "node:events";
import { WebSocket } from "ws";
import type { Followed, Following } from "./following.ts";

/** Subscriptions of a socket. */
const onEach = 100;

async function openSocket(following: Following, from: number, to: number): Promise<WebSocket> {
  const { url, document, targets, seen, failed } = following;
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws");
  socket.on("error", (error) => failed(error.message));
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    // graphql-ws writes the id first, so that nothing needs to be parsed.
    const id = /^\{"id":"(\d+)","type":"next"/.exec(text)?.[1];
    if (id !== undefined) seen(Number(id), text);
    else if (!text.includes('"connection_ack"')) failed(text);
  });
  await once(socket, "open");
  socket.send('{"type":"connection_init"}');
  await once(socket, "message");
  for (let id = from; id < to; id += 1) {
    socket.send(
      JSON.stringify({ id: `${id}`, type: "subscribe", payload: { query: document, variables: targets[id] } }),
    );
  }
  return socket;
}

export async function followOverSocket(following: Following): Promise<Followed> {
  const { targets } = following;
  const starts = Array.from({ length: Math.ceil(targets.length / onEach) }, (_, index) => index * onEach);
  const sockets: WebSocket[] = [];
  for (const from of starts) sockets.push(await openSocket(following, from, Math.min(from + onEach, targets.length)));
  return {
    connections: sockets.length,
    async close() {
      const closed = sockets.map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.close();
      await Promise.all(closed);
    },
  };
}
