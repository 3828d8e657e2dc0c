/** What a document or an operation is answered that asks for too much. What counts as too much is not said here. */
import { GraphQLError } from "graphql";

/** As Yoga has it for every document that is not valid: 200 in application/json, which is older than such statuses, else 400. */
export const invalidDocument = { spec: true, status: 400 };
const http = invalidDocument;

/** Numbers in an address, in a message and in the documentation are read by people: 300,000. */
const shown = (value: number) => (value > 1e12 ? "more than 1,000,000,000,000" : Math.ceil(value).toLocaleString("en"));

export function documentTooLong(limit: number): GraphQLError {
  const message = `The document has more than ${shown(limit)} tokens: send values in variables, and split it into several calls.`;
  return new GraphQLError(message, { extensions: { code: "DOCUMENT_TOO_LONG", limit, http } });
}

export function tooDeep(depth: number, limit: number): GraphQLError {
  const message = `The document asks for fields ${shown(depth)} deep, and ${shown(limit)} is the most: ask for what lies deeper in another call, by its id.`;
  return new GraphQLError(message, { extensions: { code: "DEPTH_LIMIT_EXCEEDED", depth, limit, http } });
}

export function tooManyAliases(aliases: number, limit: number): GraphQLError {
  const message = `The document has ${shown(aliases)} aliases, with those in fragments at each place where they are spread, and ${shown(limit)} is the most: split it into several calls, or ask for a list.`;
  return new GraphQLError(message, { extensions: { code: "ALIAS_LIMIT_EXCEEDED", aliases, limit, http } });
}

export function tooComplex(cost: number, limit: number): GraphQLError {
  const message = `The operation costs ${shown(cost)}, and ${shown(limit)} is the most: ask for smaller pages (first, last), for fewer lists within lists, or for less of each item.`;
  return new GraphQLError(message, { extensions: { code: "COMPLEXITY_LIMIT_EXCEEDED", cost, limit, http } });
}

export function tooManyPlaces(most: number, limit: number): GraphQLError {
  const message = `The operation asks for more than ${shown(most)} fields once its fragments are spread, which is too many to tell what it costs (${shown(limit)} is the most): spread fragments less often.`;
  return new GraphQLError(message, { extensions: { code: "COMPLEXITY_LIMIT_EXCEEDED", limit, http } });
}

const quoted = (id: string) => JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);

/** Where nothing but the manifest is answered, sending the document along would be no help. */
export function documentNotFound(id: string, only: boolean): GraphQLError {
  const remedy = only ? "have it added" : "send the document itself, or have it added";
  const message = `This server has no document with the id ${quoted(id)}: ${remedy} to the server's manifest.`;
  const extensions = { code: "PERSISTED_DOCUMENT_NOT_FOUND", http: { spec: true, status: 404 } };
  return new GraphQLError(message, { extensions });
}

export function documentRequired(): GraphQLError {
  const message =
    "This server answers persisted documents alone: name one by documentId, or by extensions.persistedQuery.sha256Hash.";
  return new GraphQLError(message, { extensions: { code: "PERSISTED_DOCUMENT_REQUIRED", http } });
}

export function documentAndId(id: string): GraphQLError {
  const message = `The call names the document ${quoted(id)} and sends another one: send one of the two.`;
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST", http: { status: 400 } } });
}

export function idIsNoText(): GraphQLError {
  const message = "The id of a persisted document is a text.";
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST", http: { status: 400 } } });
}
