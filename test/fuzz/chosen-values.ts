/** What an arbitrary may choose in place of a plain value; write-document.ts says how each of it is spelled. It chooses nothing. */

/** A field of something in the world of the run, which gets its ids only when the run has begun: world.ts resolves it. */
export class Ref {
  readonly pool: Pool;
  readonly index: number;
  readonly field: string;
  constructor(pool: Pool, index: number, field: string) {
    this.pool = pool;
    this.index = index;
    this.field = field;
  }
}

/** `held` are attempts in a worker's hands, `failed` jobs that wait for a retry, `purged` those that retention has stripped. */
export type Pool = "job" | "held" | "failed" | "purged" | "id" | "cursor";

/** JSON exactly as it stands, for what no JavaScript value says: 1e400, a key that comes twice. */
export class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A value that the document leaves to a variable. `absent`: declared and not given. `nulled`: declared with the value as
 * its default, and given null, which GraphQL notices only while it executes.
 */
export class InVariable {
  readonly value: unknown;
  readonly mode: "given" | "absent" | "nulled";
  constructor(value: unknown, mode: "given" | "absent" | "nulled") {
    this.value = value;
    this.mode = mode;
  }
}
