/** What the details of an event say of how its actor came to act. Who it was, the event itself says. */
import type { Actor } from "../../domain/event.ts";

/** A JSON object to add to the detail: empty unless the owner acted through a token for one job. */
export function noteOf({ byJobToken }: Actor): string {
  return JSON.stringify(byJobToken === true ? { jobToken: true } : {});
}
