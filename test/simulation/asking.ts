/** Who asks the store, and on what terms: what the server's layers above it would fill in. It asks nothing itself. */
import type { Actor } from "../../src/domain/event.ts";
import type { Failure } from "../../src/domain/outcome.ts";
import type { FailurePolicy } from "../../src/store/worker-commands.ts";
import type { Caller } from "./commands.ts";
import type { World } from "./model/world.ts";
import { contractDigest, droppedProvider, operations, operationVersion, operator } from "./settings.ts";

/** What commands need to know of the moment in which they are asked. */
export type Moment = Pick<World, "now" | "revisions">;

export const byOperator: Actor = { cause: "OPERATOR", name: operator };
export const failureOf = (code: string, remedy: Failure["remedy"]): Failure => ({ code, message: `${code}.`, remedy });
export const actorOf = ({ name, role }: Caller): Actor => ({ cause: role === "operator" ? "OPERATOR" : "OWNER", name });
export const scopeOf = ({ name, role }: Caller): string | null => (role === "owner" ? name : null);

export function policyOf({ revisions }: Moment): FailurePolicy {
  return {
    termsFor(operation, provider) {
      const settings = operations[operation];
      if (settings === undefined || provider === droppedProvider) return null;
      const { attemptTimeoutMs, leaseMs } = settings;
      return {
        provider,
        providerRevision: revisions[provider] ?? "",
        attemptTimeoutMs,
        leaseMs,
        operationVersion,
        contractDigest,
      };
    },
    retryOf: (operation) => operations[operation] ?? null,
  };
}
