/** What a configuration file says about how changes reach those who follow jobs, as types alone. The other sections are in definitions.ts. */

export interface LiveDefinition {
  /** Least time between two writes, and between two deliveries, of one job's progress, in milliseconds; the newest wins. By default 100; at most 10,000. */
  readonly progressMs?: number;
  /**
   * By which servers tell each other of commits. By default PostgreSQL's NOTIFY; `redis://user:password@host:6379`, or `rediss://…`
   * for TLS, names a Redis (6 or newer) whose pub/sub does it. Every server of a database needs the same. Nothing is kept there,
   * and while it is away everything goes on, told later.
   */
  readonly redisUrl?: string;
}
