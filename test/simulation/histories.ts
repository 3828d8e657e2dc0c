/** Short histories for tests of the judgement: commands about one job, and the world that they lead to by the model alone. */

import type { Command, Json } from "./commands.ts";
import { adopt } from "./compare.ts";
import { predict } from "./model/predict.ts";
import { newestWorld, type World } from "./model/world.ts";
import { rowsOf } from "./rows-of-world.ts";

const start = newestWorld(1_000, { inkjet: "1", laser: "1", plotter: "1" });
export const same = (id: string): string => id;
const olga = { name: "olga", role: "operator" } as const;

export const create: Command = {
  do: "createJob",
  owner: "ann",
  key: "k",
  intent: { operation: "print", input: 1 },
  priority: 0,
  delayMs: null,
};
export const claim: Command = {
  do: "claimAttempts",
  subject: "wim",
  providers: ["inkjet"],
  operations: null,
  limit: 1,
  claimKey: null,
};
const about = { subject: "wim", attemptId: "j.1", token: "t.1" };
export const complete = { do: "completeAttempt", ...about, result: 7 } satisfies Command;
export const fail: Command = {
  do: "failAttempt",
  ...about,
  certain: true,
  code: "JAMMED",
  remedy: "SAME_PROVIDER",
  uncertain: false,
};
export const cancel: Command = { do: "cancelAttempt", attemptId: "j.1", caller: olga };
export const retry = {
  do: "retryJob",
  jobId: "j",
  afterAttemptId: "j.1",
  provider: null,
  override: false,
  caller: olga,
} satisfies Command;
export const claimed = [{ attemptId: "j.1", token: "t.1" }];

/** The world after commands that went as the model says, with ids such as j.2 for the second attempt. */
export function play(...history: readonly (readonly [Command, Json?])[]): World {
  return history.reduce<World>((world, [command, seen]) => {
    const next = predict(world, command, seen ?? { jobId: "j", attemptId: "j.2" }, true).world;
    return adopt(next, rowsOf(next));
  }, start);
}
