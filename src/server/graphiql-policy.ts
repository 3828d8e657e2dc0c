/** What GraphiQL's page may do in a browser: run the scripts that it came with, and call its own server. It renders nothing. */
import { createHash } from "node:crypto";
import type { GraphiQLOptions, Plugin } from "graphql-yoga";

type Render = (options: GraphiQLOptions) => Promise<string>;

export interface PolicedGraphiql {
  readonly render: Render;
  readonly plugin: Plugin;
}

function scriptSources(page: string): string[] {
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}

/** Its editor starts workers from blobs, writes styles into the page, and has its fonts and pictures in it. */
function policyOf(page: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptSources(page).join(" ")}`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function policeGraphiql(render: Render): PolicedGraphiql {
  let known = { page: "", policy: "" };
  return {
    async render(options) {
      const page = await render(options);
      if (page !== known.page) known = { page, policy: policyOf(page) };
      return page;
    },
    plugin: {
      onResponse({ response }) {
        const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
        if (isPage && known.page !== "") response.headers.set("content-security-policy", known.policy);
      },
    },
  };
}
