/** Answers whoever asks whether the process lives and whether it can serve: supervisors and load balancers. */
import type { ServerResponse } from "node:http";
import { settlesWithin } from "../runtime/clock.ts";

/** What readiness depends on; whoever starts and stops the server changes it. */
export interface Readiness {
  /** "starting" and "stopping" are answered without asking the database. */
  phase: "starting" | "serving" | "stopping";
  /** Rejects when the database does not answer. */
  ping: () => Promise<void>;
}

/** A database that takes longer to answer a ping serves nobody well. */
const pingTimeoutMs = 2_000;

function answer(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

async function databaseAnswers(readiness: Readiness): Promise<boolean> {
  const ping = readiness.ping().then(
    () => true,
    () => false,
  );
  return (await settlesWithin(ping, pingTimeoutMs)) && (await ping);
}

/** 200 as long as the process runs its event loop. */
export function answerLive(response: ServerResponse): void {
  answer(response, 200, { status: "live" });
}

/** 200 while calls can be served, 503 before, after, and while the database does not answer. */
export async function answerReady(response: ServerResponse, readiness: Readiness): Promise<void> {
  if (readiness.phase !== "serving") return answer(response, 503, { status: readiness.phase });
  if (await databaseAnswers(readiness)) return answer(response, 200, { status: "ready" });
  return answer(response, 503, { status: "unavailable", reason: "the database does not answer" });
}
