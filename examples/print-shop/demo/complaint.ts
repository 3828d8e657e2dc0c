/** What a person who starts the demo can understand and mend, or what differed from the story: one line each. Not for bugs. */

export class Complaint extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Complaint";
  }
}

/** Throws unless the two are the same, with a sentence that names what was expected and what came. */
export function expectSame<Value extends string | number | boolean | null>(
  what: string,
  came: Value,
  expected: Value,
): void {
  if (came !== expected) {
    throw new Complaint(`The story went otherwise: ${what} should be ${String(expected)} and is ${String(came)}.`);
  }
}
