/** The HTTP server: takes the port, and hands each request to whoever serves it. Until somebody does, it says that it is starting. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { settlesWithin, sleep } from "../runtime/clock.ts";
import type { ConnectionRoom } from "./http-connections.ts";
import { StartupFault } from "./startup-fault.ts";

export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly handlers: Handlers;
  /** Within which a request must have arrived whole; an answer may take longer. */
  readonly requestTimeoutMs: number;
  readonly connections: ConnectionRoom;
}

export interface HttpListener {
  /** The port that was taken, also where any free one was asked for. */
  readonly port: number;
  /** `http://host:port`, as this machine reaches it. */
  readonly url: string;
  /** Takes no more connections, and closes each one after the answer under way on it. */
  refuse(): void;
  /** Resolves when every connection has closed; those that still answer after the time are cut. */
  close(graceMs: number): Promise<void>;
}

/** Longer than the load balancers in front keep an idle connection, so that theirs is the decision to close it. */
const keepAliveTimeoutMs = 65_000;
/** How often, at the least, Node looks for requests that are overdue. */
const longestCheckMs = 5_000;

function explainListenFault(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new StartupFault(
      [`The port ${port} on ${host} is taken: choose another with --port or PORT, or stop what listens there.`],
      error,
    );
  }
  if (error.code === "EACCES") {
    return new StartupFault(
      [`The port ${port} is reserved for privileged users: choose one from 1024 on with --port or PORT.`],
      error,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") {
    return new StartupFault(
      [`The host ${host} is no address of this machine: choose another with --host or HOST.`],
      error,
    );
  }
  return error;
}

function urlOf(server: Server, host: string): { port: number; url: string } {
  const { port } = server.address() as AddressInfo;
  const isWildcard = host === "0.0.0.0" || host === "::";
  const name = isWildcard ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return { port, url: `http://${name}:${port}` };
}

/** Throws a StartupFault when the address cannot be had. */
export async function listenHttp(options: ListenOptions): Promise<HttpListener> {
  const { host, port, handlers, requestTimeoutMs, connections } = options;
  // Answered with 408, as is a connection that has not sent a word; headers alone have a minute at the most.
  const server = createServer({
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(longestCheckMs, Math.ceil(requestTimeoutMs / 4)),
  });
  connections.watch(server);
  let isRefusing = false;
  server.on("request", (request, response) => {
    if (isRefusing) response.setHeader("connection", "close");
    handlers.request(request, response);
  });
  server.on("upgrade", (request, socket, head) => handlers.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenFault(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));

  const refuse = () => {
    if (isRefusing) return;
    isRefusing = true;
    server.close();
  };
  return {
    ...urlOf(server, host),
    refuse,
    async close(graceMs) {
      refuse();
      server.closeIdleConnections();
      if (await settlesWithin(closed, graceMs)) return;
      server.closeAllConnections();
      await Promise.race([closed, sleep(graceMs)]);
    },
  };
}
