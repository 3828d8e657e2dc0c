/** What passes between the tests' clients and a server, told to whoever listens. It changes nothing of it. */

export interface Exchange {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What was answered without an error, or one event of a subscription. */
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (exchange: Exchange) => void;
const listeners = new Set<Listener>();

export function tell(exchange: Exchange): void {
  for (const listener of listeners) listener(exchange);
}

/** Answers with what ends the listening. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
