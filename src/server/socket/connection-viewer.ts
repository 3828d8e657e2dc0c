/** For whom a WebSocket stands that brought a token when it connected, and how it ends with that token. It verifies none. */
import { CloseCode } from "graphql-ws";
import type { Viewer } from "../../graphql/context.ts";
import { sleepUntil, wallClock } from "../../runtime/clock.ts";
import { refusalOf } from "../auth/recognise-caller.ts";
import { inShort, type Unrecognised } from "../auth/unrecognised.ts";

/** "Try again later": unlike with most codes below 4000, clients connect anew. */
const tryAgainLater = 1013;

export interface Identity {
  /** Null where each operation brings a token of its own. */
  viewer: Viewer | null;
  /** Aborted when the socket has closed. */
  readonly gone: AbortController;
  close(code: number, reason: string): void;
}

/** Clients retry this code, with the token that their connectionParams then have. */
function closeExpired(identity: Identity): void {
  identity.close(CloseCode.Forbidden, inShort({ reason: "expired" }));
}

/** Whether the connection may stay: with a token, or with none where operations may bring their own. */
export function identify(identity: Identity, recognised: Viewer | Unrecognised): boolean {
  if ("reason" in recognised) {
    if (recognised.reason === "no-token") return true;
    const code = recognised.reason === "unavailable" ? tryAgainLater : CloseCode.Forbidden;
    identity.close(code, inShort(recognised));
    return false;
  }
  const { expiresAt } = recognised;
  identity.viewer = recognised;
  if (expiresAt !== null) void sleepUntil(expiresAt, identity.gone.signal).then(() => closeExpired(identity));
  return true;
}

/** Throws where the connection has no token, or none any more: a client may go on sending while the socket closes. */
export function viewerOfConnection(identity: Identity): Viewer {
  const { viewer } = identity;
  if (viewer === null) throw refusalOf({ reason: "no-token" });
  if (viewer.expiresAt === null || viewer.expiresAt > wallClock()) return viewer;
  closeExpired(identity);
  throw refusalOf({ reason: "expired" });
}
