/** Short names for what the database names by UUID: a failure is read as "attempt 3.2", and the same seed gives the same names. */
import type { Rows } from "./read-rows.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export class Names {
  readonly #names = new Map<string, string>();
  #jobs = 0;

  readonly of = (id: string): string => this.#names.get(id) ?? (id === "" ? "a job" : id);

  /** Names what is there for the first time. */
  learn(rows: Rows): void {
    for (const job of rows.jobs) {
      if (!this.#names.has(job.id)) {
        this.#jobs += 1;
        this.#names.set(job.id, `job ${this.#jobs}`);
      }
      const number = this.of(job.id).slice("job ".length);
      for (const attempt of job.attempts) {
        this.#names.set(attempt.id, `attempt ${number}.${attempt.number}`);
        if (attempt.token !== null) this.#names.set(attempt.token, `token ${number}.${attempt.number}`);
        if (attempt.certificationId !== null && !this.#names.has(attempt.certificationId)) {
          this.#names.set(attempt.certificationId, `certification of ${number}.${attempt.number}`);
        }
      }
    }
  }

  /** The text with every id that has a name replaced by it. */
  say(text: string): string {
    return text.replaceAll(uuid, (id) => this.of(id));
  }
}
