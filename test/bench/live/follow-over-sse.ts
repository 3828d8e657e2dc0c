/** Follows jobs over Server-Sent Events, with a connection for each as browsers' distinct connections do. It reads no more of a stream than where frames end. */
import { Agent, type ClientRequest, request } from "node:http";
import type { Followed, Following } from "./following.ts";

/** Connections that are being opened at a time, so that none waits in the listener's queue. */
const openingAtOnce = 100;

function open(following: Following, agent: Agent, target: number): { request: ClientRequest; opened: Promise<void> } {
  const { url, document, targets, seen, failed } = following;
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const call = request(`${url}/graphql`, { method: "POST", agent, headers });
  const opened = new Promise<void>((resolve) => {
    call.on("error", (error) => {
      failed(error.message);
      resolve();
    });
    call.on("response", (response) => {
      resolve();
      if (response.statusCode !== 200) failed(`answered with ${response.statusCode}`);
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) if (frame.includes("event: next")) seen(target, frame);
      });
      response.on("error", () => {});
    });
  });
  call.end(JSON.stringify({ query: document, variables: targets[target] }));
  return { request: call, opened };
}

export async function followOverSse(following: Following): Promise<Followed> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const requests: ClientRequest[] = [];
  let isClosed = false;
  const quiet = { ...following, failed: (why: string) => (isClosed ? undefined : following.failed(why)) };
  for (let from = 0; from < following.targets.length; from += openingAtOnce) {
    const to = Math.min(from + openingAtOnce, following.targets.length);
    const some = Array.from({ length: to - from }, (_, index) => open(quiet, agent, from + index));
    requests.push(...some.map((one) => one.request));
    await Promise.all(some.map((one) => one.opened));
  }
  return {
    connections: requests.length,
    close() {
      isClosed = true;
      for (const one of requests) one.destroy();
      agent.destroy();
      return Promise.resolve();
    },
  };
}
