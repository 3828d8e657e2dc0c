/** What keeps a server from starting and a person can mend. Not for bugs and outages: those keep their own errors. */

/** Each line is a whole message, to be shown as it is; there is at least one. */
export class StartupFault extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join("\n"), cause === undefined ? undefined : { cause });
    this.name = "StartupFault";
    this.lines = lines;
  }
}
