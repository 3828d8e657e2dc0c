/** Which path is served by what. It serves nothing itself but the few words of a path that leads nowhere. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { endpointPath, type GraphqlEndpoint } from "./graphql-endpoint.ts";
import { answerLive, answerReady, type Readiness } from "./health.ts";
import type { Handlers } from "./http-listener.ts";
import type { ServerLog } from "./log.ts";
import { refuseUpgrade, type Sockets } from "./socket/open-sockets.ts";

/** What there is once the server is composed. */
export interface Served {
  readonly endpoint: GraphqlEndpoint;
  readonly sockets: Sockets;
}

export interface RouteOptions {
  readonly readiness: Readiness;
  /** Null until the server is composed. */
  readonly served: () => Served | null;
  readonly log: ServerLog;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}

function answerErrors(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(`${JSON.stringify({ errors: [{ message, extensions: { code } }] })}\n`);
}

function answerUnavailable(response: ServerResponse, phase: Readiness["phase"]): void {
  if (phase === "stopping")
    return answerErrors(response, 503, "SERVER_SHUTDOWN", "This server is stopping: ask again in a moment.");
  return answerErrors(response, 503, "SERVER_STARTING", "This server is starting: ask again in a moment.");
}

export function createRoutes({ readiness, served, log }: RouteOptions): Handlers {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (path === "/health/live") return answerLive(response);
    if (path === "/health/ready") return answerReady(response, readiness);
    if (path === endpointPath) {
      const endpoint = readiness.phase === "serving" ? served()?.endpoint : undefined;
      if (endpoint === undefined) return answerUnavailable(response, readiness.phase);
      await endpoint.handle(request, response);
      return;
    }
    if (path === "/") {
      response.writeHead(302, { location: endpointPath }).end();
      return;
    }
    return answerErrors(
      response,
      404,
      "NOT_FOUND",
      `There is nothing at ${path}: the API and GraphiQL are at ${endpointPath}.`,
    );
  }

  return {
    request(request, response) {
      serve(request, response).catch((error: unknown) => {
        log.error("request-failed", { error });
        if (response.headersSent) response.destroy();
        else answerErrors(response, 500, "INTERNAL_SERVER_ERROR", "Unexpected error.");
      });
    },
    upgrade(request, socket, head) {
      // A client that resets the connection while it is refused is nobody's concern.
      socket.on("error", (error) => log.debug("upgrade-failed", { error }));
      const sockets = readiness.phase === "serving" ? served()?.sockets : undefined;
      if (pathOf(request) !== endpointPath) refuseUpgrade(socket, "404 Not Found");
      else if (sockets === undefined) refuseUpgrade(socket, "503 Service Unavailable");
      else sockets.handleUpgrade(request, socket, head);
    },
  };
}
