/**
 * What a client asks next: calls on the few keys and jobs that all clients are busy with at the moment, so that they meet. It
 * remembers what the client has learned, and sends nothing.
 */
import type { Claimed, Learned, Sent } from "./call-server.ts";
import type { Chance } from "./seeded.ts";

/** Every era brings a key, and the newest few are in use. */
const keysInUse = 3;
const jobsInMind = 8;
const claimsInMind = 16;

const intents = ["a", "b"] as const;
const results = ["x", "y", "z"] as const;

const weights = {
  create: 24,
  readKey: 8,
  claim: 14,
  complete: 22,
  readJob: 14,
  cancelAttempt: 7,
  retry: 8,
  cancelJob: 3,
} as const satisfies Record<Sent["kind"], number>;

function draw(chance: Chance): Sent["kind"] {
  const kinds = Object.entries(weights) as [Sent["kind"], number][];
  let left = chance.below(kinds.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [kind, weight] of kinds) {
    if (left < weight) return kind;
    left -= weight;
  }
  throw new Error("A number beyond all weights was drawn.");
}

export class Memory {
  readonly #chance: Chance;
  /** Ids of jobs, the newest last, with their attempts as far as they were seen. */
  readonly #jobs = new Map<string, string[]>();
  #claims: Claimed[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  learn({ jobs, claims }: Learned): void {
    for (const { id, latest } of jobs) this.#note(id, latest);
    for (const claim of claims) {
      this.#note(claim.job, claim.attempt);
      if (!this.#claims.some(({ attempt }) => attempt === claim.attempt)) this.#claims.push(claim);
    }
    this.#claims = this.#claims.slice(-claimsInMind);
    for (const id of [...this.#jobs.keys()].slice(0, -jobsInMind)) this.#jobs.delete(id);
  }

  #note(job: string, attempt: string): void {
    const attempts = this.#jobs.get(job) ?? [];
    if (!attempts.includes(attempt)) attempts.push(attempt);
    this.#jobs.set(job, attempts);
  }

  /** Null where nothing is known to which such a call could be made. */
  choose(era: number): Sent | null {
    const chance = this.#chance;
    const kind = draw(chance);
    const key = `key-${Math.max(0, era - chance.below(keysInUse))}`;
    if (kind === "create") return { kind, key, intent: chance.pick(intents) ?? "a" };
    if (kind === "readKey") return { kind, key };
    // One claim key for all clients, so that all of them hold the same attempts under the same tokens.
    if (kind === "claim") return { kind, claimKey: `claims-${Math.max(0, era - chance.below(2))}` };
    if (kind === "complete") {
      const claim = chance.pick(this.#claims);
      return claim && { kind, ...claim, result: chance.pick(results) ?? "x" };
    }
    const [job, attempts] = chance.pick([...this.#jobs]) ?? [null, []];
    // Mostly the newest attempt that was seen: calls about older ones are answered alike every time.
    const attempt = chance.next() < 0.75 ? (attempts.at(-1) ?? null) : chance.pick(attempts);
    if (job === null || attempt === null) return null;
    if (kind === "cancelAttempt") return { kind, job, attempt };
    return kind === "retry" ? { kind, job, after: attempt } : { kind, job };
  }
}
