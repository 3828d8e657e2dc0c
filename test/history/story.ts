/** Histories as tests write them down, and the verdict on them. It holds no rule. */
import { checkHistory } from "./check-history.ts";
import type { Answer, Call, Operation } from "./operation.ts";

export type Line = readonly [from: number, to: number | null, call: Call, answer: Answer | null];
export type Story = readonly [what: string, ...lines: Line[]];

/** Why the history is refused; empty where it is not. */
export function judge(lines: readonly Line[]): readonly string[] {
  return checkHistory(
    lines.map(([invokedAt, answeredAt, call, answer]): Operation => {
      return { client: 0, server: 0, invokedAt, answeredAt, call, answer };
    }),
  );
}
