/** A command line that the program does not understand. Its message is one line for whoever typed it. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageFault";
  }
}

/** Node's complaint about an argument, without its advice on arguments that start with a dash. */
export function usageFaultOf(error: unknown, command: string): unknown {
  if (!(error instanceof TypeError) || !("code" in error) || !String(error.code).startsWith("ERR_PARSE_ARGS"))
    return error;
  const complaint = (error.message.split(". ", 1)[0] ?? error.message).replace(/\.$/, "").replace(/ <value>/, " VALUE");
  return new UsageFault(`${complaint}: onejob ${command} --help shows what there is.`);
}
