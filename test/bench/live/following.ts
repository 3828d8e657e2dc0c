/** What is asked of bench:live's clients and of their transports, and what they answer, as types alone. */

export type Transport = "WebSocket" | "SSE";

export interface Target {
  readonly jobId: string;
  readonly after: number;
}

export interface Opening {
  readonly url: string;
  readonly transport: Transport;
  readonly targets: readonly Target[];
}

/** Three columns of one table: which of the targets, the event's number, and when. */
export interface Arrivals {
  readonly target: Int32Array;
  readonly number: Int32Array;
  readonly atMs: Float64Array;
}

/** What a transport needs: it calls `seen` with the target's place in the list and the text of a frame. */
export interface Following {
  readonly url: string;
  readonly document: string;
  readonly targets: readonly Target[];
  seen(target: number, frame: string): void;
  failed(why: string): void;
}

export interface Followed {
  /** Connections that are open. */
  readonly connections: number;
  close(): Promise<void>;
}
