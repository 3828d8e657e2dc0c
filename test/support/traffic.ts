/** What passes between the tests' clients and a server, told to whoever listens. It changes nothing of it. */

export interface Exchange {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What was answered without an error, or one event of a subscription. */
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (exchange: Exchange) => void;
const listeners = new Set<Listener>();

let unheard = 0;

export function tell(exchange: Exchange): void {
  if (unheard > 0) return;
  for (const listener of listeners) listener(exchange);
}

/** Answers with what ends the listening. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Does what only prepares a test: nobody hears of it. */
export async function quietly<Value>(work: () => Promise<Value>): Promise<Value> {
  unheard += 1;
  try {
    return await work();
  } finally {
    unheard -= 1;
  }
}
