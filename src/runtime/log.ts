/** What the runtime needs of a log, as a type alone: who writes it, where to and in which form is the server's. */

export type LogFields = Readonly<Record<string, unknown>>;

/** `event` is short and stable, in kebab-case; what it is about stands in the fields. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
