/** An error of a provider's own code, for the log: what it is called is told, what it says is not, since careless code quotes the input. */

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error}`;
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `${error.name}${code}`;
}

/** `cause` is what was thrown, for whoever looks for a fault at the level debug. */
export class ProviderFault extends Error {
  constructor(cause: unknown) {
    super(`the provider's code threw ${nameOf(cause)}; the level debug shows what it says`, { cause });
    this.name = "ProviderFault";
  }
}

/** Asks a provider's code; throws a ProviderFault for whatever it throws. */
export async function askProvider<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw new ProviderFault(error);
  }
}
