/** GraphiQL for browsers that open the endpoint: served whole, without a CDN, with documents to try as its tabs. */
import { readFileSync } from "node:fs";
import type { GraphiQLOptions } from "graphql-yoga";
import type { Json } from "../domain/json.ts";
import type { Catalog } from "../domain/operation.ts";
import type { HttpSettings } from "./config/read-http.ts";
import { sampleValue } from "./sample-value.ts";

const documentsFolder = new URL("../../schema/operations/", import.meta.url);

/** A job's story in the order in which it is told, with what each document is asked about. */
function examples(catalog: Catalog): readonly { readonly name: string; readonly variables: Json }[] {
  const jobId = "job_…";
  return [
    { name: "create-job", variables: { input: createInput(catalog) } },
    { name: "job-updated", variables: { id: jobId } },
    { name: "job-events", variables: { jobId, after: 0 } },
    { name: "job", variables: { id: jobId } },
    { name: "retry-job", variables: { input: { jobId, afterAttemptId: "att_…" } } },
    { name: "cancel-attempt", variables: { input: { attemptId: "att_…", reason: "It hangs." } } },
    { name: "operations", variables: {} },
  ];
}

/** One that the first configured operation is likely to take as it stands. */
function createInput(catalog: Catalog): Json {
  const [operation] = catalog.operations.values();
  if (operation === undefined) return { idempotencyKey: "click-1", operation: "", input: {} };
  return { idempotencyKey: "click-1", operation: operation.name, input: sampleValue(operation.inputSchema) };
}

function readDocument(name: string): string | null {
  try {
    return readFileSync(new URL(`${name}.graphql`, documentsFolder), "utf8");
  } catch {
    // A package without its documents still has a schema to explore.
    return null;
  }
}

export function graphiqlOptions(catalog: Catalog, asksForToken: boolean): GraphiQLOptions {
  const defaultTabs = examples(catalog).flatMap(({ name, variables }) => {
    const query = readDocument(name);
    return query === null ? [] : [{ query, variables: JSON.stringify(variables, null, 2) }];
  });
  return {
    title: "Onejob",
    subscriptionsProtocol: "WS",
    defaultEditorToolsVisibility: asksForToken ? "headers" : "variables",
    ...(asksForToken ? { headers: JSON.stringify({ Authorization: "Bearer TOKEN" }, null, 2) } : {}),
    ...(defaultTabs.length === 0 ? {} : { defaultTabs }),
  };
}

/**
 * The first tab takes its variables from the browser's storage alone: they are put there for whoever has no tabs yet. Given
 * as an option, or put there again, they would open one more tab at each reload.
 */
function seedFirstTab({ defaultTabs = [] }: GraphiQLOptions): string {
  const variables = JSON.stringify(defaultTabs[0]?.variables ?? "{}").replaceAll("<", "\\u003c");
  return `<script>if (!("graphiql:tabState" in localStorage)) localStorage["graphiql:variables"] = ${variables};</script>`;
}

/** Where every document must be a persisted one, the page could neither ask for the schema nor send anything. */
export function showsGraphiql({ graphiql, persistedDocuments }: HttpSettings): boolean {
  return graphiql && persistedDocuments?.only !== true;
}

/** The page has nine megabytes: it is loaded when the first browser asks, and made once for each server. */
export function createGraphiqlRenderer(): (options: GraphiQLOptions) => Promise<string> {
  const render = async (options: GraphiQLOptions): Promise<string> => {
    const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
    return renderGraphiQL(options).replace("<head>", () => `<head>${seedFirstTab(options)}`);
  };
  let page: Promise<string> | undefined;
  return (options) => (page ??= render(options));
}
