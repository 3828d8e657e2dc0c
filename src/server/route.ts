/** Which path is served by what. It serves nothing itself but the few words of a path that leads nowhere. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { endpointPath, type GraphqlEndpoint } from "./graphql-endpoint.ts";
import { answerLive, answerReady, type Readiness } from "./health.ts";
import type { ConnectionRoom } from "./http-connections.ts";
import type { Handlers } from "./http-listener.ts";
import { setSecurityHeaders } from "./http-security-headers.ts";
import type { ServerLog } from "./log.ts";
import type { Sockets } from "./socket/open-sockets.ts";
import { refuseUpgrade, type UpgradeRefusal } from "./socket/refuse-upgrade.ts";

/** What there is once the server is composed. */
export interface Served {
  readonly endpoint: GraphqlEndpoint;
  readonly sockets: Sockets;
}

export interface RouteOptions {
  readonly readiness: Readiness;
  /** Null until the server is composed. */
  readonly served: () => Served | null;
  readonly connections: ConnectionRoom;
  readonly log: ServerLog;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}

function answerRefusal(response: ServerResponse, { status, code, message, retryAfterSeconds }: UpgradeRefusal): void {
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(`${JSON.stringify({ errors: [{ message, extensions: { code } }] })}\n`);
}

const unexpected: UpgradeRefusal = { status: 500, code: "INTERNAL_SERVER_ERROR", message: "Unexpected error." };

const unavailable = {
  starting: { status: 503, code: "SERVER_STARTING", message: "This server is starting: ask again in a moment." },
  serving: { status: 503, code: "SERVER_STARTING", message: "This server is starting: ask again in a moment." },
  stopping: { status: 503, code: "SERVER_SHUTDOWN", message: "This server is stopping: ask again in a moment." },
} as const satisfies Record<Readiness["phase"], UpgradeRefusal>;

const crowded = {
  status: 503,
  code: "CONNECTION_LIMIT_EXCEEDED",
  message: "This server has as many connections open as it takes: ask again in a moment, or another server.",
  retryAfterSeconds: 5,
} as const satisfies UpgradeRefusal;

function nothingAt(path: string): UpgradeRefusal {
  const message = `There is nothing at ${path}: the API and GraphiQL are at ${endpointPath}.`;
  return { status: 404, code: "NOT_FOUND", message };
}

export function createRoutes({ readiness, served, connections, log }: RouteOptions): Handlers {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const isSurplus = connections.isSurplus(request.socket);
    if (isSurplus) response.setHeader("connection", "close");
    if (path === "/health/live") return answerLive(response);
    if (path === "/health/ready") return answerReady(response, readiness);
    if (isSurplus) return answerRefusal(response, crowded);
    if (path === endpointPath) {
      const endpoint = readiness.phase === "serving" ? served()?.endpoint : undefined;
      if (endpoint === undefined) return answerRefusal(response, unavailable[readiness.phase]);
      await endpoint.handle(request, response);
      return;
    }
    if (path === "/") {
      response.writeHead(302, { location: endpointPath }).end();
      return;
    }
    return answerRefusal(response, nothingAt(path));
  }

  return {
    request(request, response) {
      setSecurityHeaders(request, response);
      serve(request, response).catch((error: unknown) => {
        log.error("request-failed", { error });
        if (response.headersSent) response.destroy();
        else answerRefusal(response, unexpected);
      });
    },
    upgrade(request, socket, head) {
      // A client that resets the connection while it is refused is nobody's concern.
      socket.on("error", (error) => log.debug("upgrade-failed", { error }));
      const sockets = readiness.phase === "serving" ? served()?.sockets : undefined;
      const path = pathOf(request);
      if (connections.isSurplus(request.socket)) refuseUpgrade(socket, crowded);
      else if (path !== endpointPath) refuseUpgrade(socket, nothingAt(path));
      else if (sockets === undefined) refuseUpgrade(socket, unavailable[readiness.phase]);
      else sockets.handleUpgrade(request, socket, head);
    },
  };
}
