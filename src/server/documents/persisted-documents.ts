/** Documents that clients name instead of sending: the manifest, read and judged when the server starts, and what a call names of it. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse } from "graphql";
import type { HttpSettings } from "../config/read-http.ts";
import { StartupFault } from "../startup-fault.ts";
import { judgeDocument } from "./judge-document.ts";
import { documentAndId, documentNotFound, documentRequired, idIsNoText } from "./refusals.ts";

/** What a call says of its document, over HTTP as well as WebSocket. */
export interface Call {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

export interface PersistedDocuments {
  /** The text of the call's document; undefined where it has none. Throws a GraphQLError for what it may not name or send. */
  textOf(call: Call): unknown;
  /** The document with exactly this text, if it is one of them. */
  parsed(text: string): DocumentNode | undefined;
  has(document: DocumentNode): boolean;
}

const where = "http.persistedDocuments.manifest";
const maxFaults = 20;

/** `sha256:abc` and `abc` are one id. */
const bare = (id: string) => id.replace(/^sha256:/, "");

async function readManifest(path: string): Promise<[string, unknown][]> {
  const read = await readFile(resolve(path), "utf8").catch((error: unknown) => {
    throw new StartupFault([`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}.`]);
  });
  try {
    const value: unknown = JSON.parse(read);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  } catch (error) {
    throw new StartupFault([`${where} ${path} is no JSON: ${error instanceof Error ? error.message : ""}.`], error);
  }
  throw new StartupFault([`${where} ${path} is no object of documents by id, such as { "sha256:…": "query …" }.`]);
}

function parseOrFaults(schema: GraphQLSchema, text: string, introspection: boolean): DocumentNode | readonly string[] {
  try {
    const document = parse(text);
    const faults = judgeDocument(schema, document, { introspection });
    return faults.length === 0 ? document : faults.map(({ message }) => message);
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
}

interface Manifest {
  readonly texts: ReadonlyMap<string, string>;
  readonly documents: ReadonlyMap<string, DocumentNode>;
}

async function loadManifest(path: string, schema: GraphQLSchema, introspection: boolean): Promise<Manifest> {
  const texts = new Map<string, string>();
  const documents = new Map<string, DocumentNode>();
  const faults: string[] = [];
  for (const [id, text] of await readManifest(path)) {
    const report = (what: string) => void faults.push(`${where}: the document ${JSON.stringify(id)} ${what}`);
    if (typeof text !== "string") report("is no text.");
    else if ((texts.get(bare(id)) ?? text) !== text) report("is there twice, with and without sha256:, and differs.");
    else {
      const parsed = documents.get(text) ?? parseOrFaults(schema, text, introspection);
      if (Array.isArray(parsed)) report(`is not valid: ${parsed.join(" ")}`);
      else documents.set(text, parsed as DocumentNode);
      texts.set(bare(id), text);
    }
  }
  if (texts.size === 0 && faults.length === 0) faults.push(`${where} ${path} holds no document.`);
  const more = faults.length > maxFaults ? [`${where}: and ${faults.length - maxFaults} more.`] : [];
  if (faults.length > 0) throw new StartupFault([...faults.slice(0, maxFaults), ...more]);
  return { texts, documents };
}

/** As GraphQL over HTTP names a document, or as Apollo's clients do; undefined where the call names none. */
function idOf({ documentId, extensions }: Call): unknown {
  if (documentId !== undefined && documentId !== null) return documentId;
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  return persistedQuery?.sha256Hash ?? undefined;
}

/** Throws a StartupFault, with a line for each document that is not valid. */
export async function loadPersistedDocuments(
  { persistedDocuments, introspection }: HttpSettings,
  schema: GraphQLSchema,
): Promise<PersistedDocuments> {
  const none: Manifest = { texts: new Map(), documents: new Map() };
  const { manifest, only = false } = persistedDocuments ?? {};
  const { texts, documents } = manifest === undefined ? none : await loadManifest(manifest, schema, introspection);
  const all = new Set(documents.values());
  return {
    textOf(call) {
      const id = idOf(call);
      const query = call.query === "" ? undefined : (call.query ?? undefined);
      if (id === undefined) {
        if (only) throw documentRequired();
        return query;
      }
      if (typeof id !== "string") throw idIsNoText();
      const text = texts.get(bare(id));
      if (text !== undefined && query !== undefined && query !== text) throw documentAndId(id);
      if (text !== undefined) return text;
      // A client that has been told so sends the document along: there is nothing to keep it for.
      if (query === undefined) throw documentNotFound(id, only);
      if (only) throw documentRequired();
      return query;
    },
    parsed: (text) => documents.get(text),
    has: (document) => all.has(document),
  };
}
