/** The headers that tell browsers what an answer is not for: no page, no frame, no script. GraphiQL's page has its own policy over this one. */
import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

/**
 * The server speaks plain HTTP and knows no domain: that a name is reached by TLS alone (HSTS) is for the proxy to say that
 * has the certificate.
 */
const setHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: "no-referrer" },
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" },
});

/** Before anything is written; whoever answers may say otherwise. */
export function setSecurityHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("cache-control", "no-store");
  // It is told of faults in directives that are functions, of which there are none.
  setHeaders(request, response, () => {});
}
