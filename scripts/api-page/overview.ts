/** What holds for every field of the API: transports, callers, errors, keys, ids, pages, limits. Numbers and names are the code's own. */
import type { GraphQLSchema } from "graphql";
import { maxInputBytes, maxKeyLength, maxMetadataBytes } from "../../src/domain/intent.ts";
import { maxNesting } from "../../src/domain/json.ts";
import { maxResultBytes } from "../../src/domain/outcome.ts";
import { defaultPageSize, maxPageSize } from "../../src/graphql/page-size.ts";
import { maxEvents } from "../../src/graphql/types/events-of-job.ts";
import { defaultLimits } from "../../src/server/config/read-limits.ts";
import { maxDocumentNesting } from "../../src/server/documents/document-nesting.ts";
import { endpointPath } from "../../src/server/graphql-endpoint.ts";
import { maxUnansweredOperations } from "../../src/server/socket/socket-load.ts";
import { errorCodes } from "./error-codes.ts";
import { exampleIds } from "./example-ids.ts";
import { blocks, code, fence, heading, link, prose, table } from "./markdown.ts";
import { typeId, typeLink } from "./names.ts";
import { isRefusal } from "./placement.ts";

type CodeOf = (refusal: string) => string;

function inUnits(bytes: number): string {
  return bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${bytes / 1024} KiB`;
}

function inNumbers(count: number): string {
  return count.toLocaleString("en");
}

function inSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}

function transports(): string {
  return blocks(
    `Everything is at ${code(endpointPath)}; a browser that opens it gets GraphiQL, unless the server's configuration says otherwise.`,
    [
      "- **HTTP:** `POST` with `content-type: application/json`. `GET`, and a body that a form could send, need the header `x-onejob-csrf` (any value) beside it, so that no page of another site can call for its visitor.",
      "- **Server-Sent Events:** the same `POST` with `accept: text/event-stream` for a subscription.",
      "- **WebSocket:** the same path with the subprotocol `graphql-transport-ws` (the library graphql-ws), for subscriptions and for all else.",
      "- **Pages of other origins** may call, over each of these, where the server's configuration lists them (`http.cors`).",
    ].join("\n"),
    `A server with ${link("persisted documents", "limits.md#persisted-documents")} takes ${code("documentId")} in the place of ${code("query")}, by each transport.`,
    fence(
      "sh",
      `curl http://127.0.0.1:4000${endpointPath} --header 'content-type: application/json' --header 'authorization: Bearer TOKEN' \\\n  --data '{ "query": "{ viewer { ownerId roles } }" }'`,
    ),
  );
}

function callers(): string {
  return blocks(
    `A caller sends ${code("authorization: Bearer TOKEN")}, over WebSocket in ${code("connectionParams")} (as ${code("authorization")}, or the bare token as ${code("token")}). The token says who the owner is, and which roles the caller has: OWNER for own jobs, WORKER to claim attempts and report on them, OPERATOR for every owner's jobs and for what only operators do. A server without configured tokens takes every caller of its own machine for one owner with all roles. ${code("viewer")} tells as whom one was recognised.`,
    `A token is a static one from the configuration, or a JSON Web Token, whose ${code("sub")} is the owner: two tokens of one owner are one owner. When a token ends, so does what it opened. A WebSocket that brought it in ${code("connectionParams")} is closed with 4403, which graphql-ws retries: make ${code("connectionParams")} a function that gets a fresh token, and ${code("variables.after")} of jobEvents a getter of the last number seen. Over Server-Sent Events, and where one operation brought its own token in ${code("extensions.headers")}, the stream ends with the error UNAUTHENTICATED. What a call has begun by then is carried through.`,
    `A browser should not have its owner's token. ${link("createJobToken", "#mutation-create-job-token")} gives the owner's backend one that follows a single job for a while, and retries or cancels it if that was asked for; it is sent like every other, and everything else is closed to it. It needs ${code("auth.jobTokens")} in the configuration.`,
    "What is not the caller's to see is answered like what does not exist: null, or NotFound.",
  );
}

function errors(schema: GraphQLSchema, codeOf: CodeOf): string {
  const refusals = Object.values(schema.getTypeMap()).filter(isRefusal);
  return blocks(
    "There are two kinds, and they come in two places.",
    '**A refusal that the caller can act on is an answer.** Every mutation answers with a union: its success, or a type that implements `UserError`, with a `code` for programs, a `message` for people, and what the refusal is about. A refusal writes nothing, but for a rejected result, which ends its attempt, and the record of a discarded one. Ask for `__typename` and for `... on UserError { code message }`, and read a code that you do not know as "refused": unions and enums may grow.',
    table(
      ["code", "refusal", "meaning"],
      refusals.map((type) => [code(codeOf(type.name)), typeLink(type), prose(type.description ?? "")]),
    ),
    "**Everything else is a GraphQL error** in `errors`, with `extensions.code`. Over HTTP the code decides, not the status: most of these answer with 200.",
    fence("json", JSON.stringify({ errors: [{ message: "…", extensions: { code: "FORBIDDEN" } }] }, null, 2)),
    errorCodes(),
  );
}

function idempotency(): string {
  return blocks(
    `One key is one job: ${link("createJob", "#mutation-create-job")} sent again with the same key and the same intent answers with the same job and ${code("created: false")}; with another intent it is a conflict, in every state of the job. The intent is operation, provider, fallback providers and input. Make one key per click, up to ${maxKeyLength} characters, and keep it over every repetition and reload until an answer has come.`,
    `The HTTP header ${code("Idempotency-Key")} may carry the key instead, quoted (${code('"order-1042"')}) or plain: it stands for the one createJob field of the operation that has no key of its own, never for one of createJobs. Given in both places, the two must be equal.`,
    "createJobs takes a key with each of its jobs. The other mutations need none: each names what it is about, so that asked twice it does its work once: retryJob by the attempt that ended, claimAttempts by its `claimKey`, reports by the lease token.",
  );
}

function ids(): string {
  const rows = Object.entries(exampleIds).map(([type, id]) => [
    link(type, `#${typeId({ name: type })}`),
    code(`${id.slice(0, id.indexOf("_"))}_…`),
    code(id),
  ]);
  return blocks(
    "An id says what it names, by its prefix, and is otherwise opaque; `node` finds whatever it is. Ids of jobs, attempts, certifications and audit entries are TypeIDs over UUIDv7, those of operations and providers hold the name from the configuration. An id that is malformed, or of another kind, is like one that does not exist.",
    table(["type", "prefix", "such as"], rows),
  );
}

function connections(): string {
  return blocks(
    `Lists that grow are Relay connections. A page has ${defaultPageSize} unless ${code("first")} or ${code("last")} says otherwise, and at most ${maxPageSize}: more is refused, never cut down. Go on with ${code("after: pageInfo.endCursor")}, or back with ${code("before: pageInfo.startCursor")}. A cursor is opaque and belongs to its list; it holds a position and no right. Pages hang together by position and not by count, so what is added meanwhile shifts nothing; attempts are sorted by ${code("stateChangedAt")}, so one whose state changes meanwhile moves.`,
    `A job's events are a plain list, at most ${maxEvents} at once: they are numbered without gaps, so the last number is the cursor, also for ${link("jobEvents", "#subscription-job-events")}.`,
  );
}

function limits(): string {
  return table(
    ["what", "limit", "over it"],
    [
      ["a request's body", inUnits(defaultLimits.bodyBytes), code("REQUEST_ENTITY_TOO_LARGE")],
      ["a message over WebSocket", inUnits(defaultLimits.bodyBytes), "the socket is closed with 1009"],
      ["an answer, or an event of a subscription", inUnits(defaultLimits.answerBytes), code("ANSWER_TOO_LARGE")],
      ["connections to one server", inNumbers(defaultLimits.connections), code("CONNECTION_LIMIT_EXCEEDED")],
      [
        "an owner's WebSockets to one server",
        inNumbers(defaultLimits.connectionsPerOwner),
        `closed with 1013; ${code("CONNECTION_LIMIT_EXCEEDED")}`,
      ],
      [
        "subscriptions on one WebSocket",
        inNumbers(defaultLimits.subscriptionsPerConnection),
        code("SUBSCRIPTION_LIMIT_EXCEEDED"),
      ],
      [
        "an owner's subscriptions on one server",
        inNumbers(defaultLimits.subscriptionsPerOwner),
        code("SUBSCRIPTION_LIMIT_EXCEEDED"),
      ],
      [
        "operations without an answer on one WebSocket",
        inNumbers(maxUnansweredOperations),
        code("OPERATION_LIMIT_EXCEEDED"),
      ],
      ["the time for a query or mutation", inSeconds(defaultLimits.operationTimeoutMs), code("OPERATION_TIMEOUT")],
      [
        "the time for a request to arrive whole",
        inSeconds(defaultLimits.requestTimeoutMs),
        "HTTP 408, and the end of the connection",
      ],
      ["nesting of a document", String(maxDocumentNesting), code("GRAPHQL_PARSE_FAILED")],
      ["tokens of a document", String(defaultLimits.documentTokens), code("DOCUMENT_TOO_LONG")],
      ["fields within fields", String(defaultLimits.depth), code("DEPTH_LIMIT_EXCEEDED")],
      ["aliases of a document", String(defaultLimits.aliases), code("ALIAS_LIMIT_EXCEEDED")],
      [
        link("what an operation costs", "limits.md#what-an-operation-costs"),
        String(defaultLimits.complexity),
        code("COMPLEXITY_LIMIT_EXCEEDED"),
      ],
      ["a page", String(maxPageSize), code("BAD_USER_INPUT")],
      ["jobs of one createJobs or cancelJobs", String(defaultLimits.batchSize), "InvalidInput"],
      ["new jobs of an owner within a span of time", "as the server is configured", code("RATE_LIMITED")],
      ["an idempotency key", `${maxKeyLength} characters`, "InvalidInput"],
      ["a job's input", inUnits(maxInputBytes), "InvalidInput"],
      ["a job's metadata", inUnits(maxMetadataBytes), "InvalidInput"],
      ["a result", inUnits(maxResultBytes), "InvalidInput"],
      ["nesting of a JSON value that is stored", String(maxNesting), "InvalidInput"],
    ],
  );
}

type Section = { readonly title: string; readonly text: (schema: GraphQLSchema, codeOf: CodeOf) => string };

const sections: readonly Section[] = [
  { title: "Transports", text: transports },
  { title: "Callers", text: callers },
  { title: "Errors", text: errors },
  { title: "The Idempotency-Key", text: idempotency },
  { title: "Ids", text: ids },
  { title: "Connections and cursors", text: connections },
  { title: "Limits", text: limits },
];

/** For the page's contents; the ids are those that a heading has by itself. */
export const overviewSections = sections.map(({ title }) => ({ title, id: title.toLowerCase().replaceAll(" ", "-") }));

export function overview(schema: GraphQLSchema, codeOf: CodeOf): string {
  return blocks(sections.map(({ title, text }) => blocks(heading(2, title), text(schema, codeOf))));
}
