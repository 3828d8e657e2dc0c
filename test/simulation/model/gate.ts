/** The model's own gate (I9): whether a provider may take an operation over, by the certifications it has seen recorded. */
import type { ModelCertification, World } from "./world.ts";

export interface Gate {
  readonly certificationId: string | null;
  /** Null where the gate is open. */
  readonly reason: string | null;
}

const shutBy: Readonly<Record<string, string>> = {
  RUNNING: "STILL_RUNNING",
  FAILED: "FAILED",
  INCONCLUSIVE: "INCONCLUSIVE",
  REVOKED: "REVOKED",
};

export function gateOf(
  world: Pick<World, "now" | "certifications" | "revisions">,
  operation: string,
  provider: string,
): Gate {
  const records = world.certifications
    .filter((one) => one.operation === operation && one.provider === provider)
    .toSorted((left, right) => right.startedAt - left.startedAt);
  const [newest] = records;
  if (newest === undefined) return { certificationId: null, reason: "NEVER_RUN" };
  const current = records.filter((one) => one.revision === world.revisions[provider]);
  // A run that is under way or could not judge says neither yes nor no.
  const judged = current.find((one) => one.status !== "RUNNING" && one.status !== "INCONCLUSIVE") ?? current[0];
  if (judged === undefined) return { certificationId: newest.id, reason: "PROVIDER_CHANGED" };
  if (judged.status !== "PASSED") return { certificationId: judged.id, reason: shutBy[judged.status] ?? "" };
  return { certificationId: judged.id, reason: isExpired(judged, world.now) ? "EXPIRED" : null };
}

function isExpired(certification: ModelCertification, now: number): boolean {
  return certification.expiresAt !== null && certification.expiresAt <= now;
}
