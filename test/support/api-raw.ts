/** Sends createJob exactly as written, byte for byte: graphql-request would spell a value in its own way before it is sent. */
import type { Answer } from "./api-answers.ts";
import { type Bearer, type Caller, tokenOf } from "./api-config.ts";

const selection = `{ __typename
  ... on CreateJobSuccess { created job { id input } }
  ... on IdempotencyConflict { differences existingJob { id } }
  ... on InvalidInput { message issues { path message } } }`;

export interface RawAnswer {
  readonly status: number;
  /** Null where GraphQL answered with errors. */
  readonly answer: Answer | null;
  readonly codes: readonly string[];
  readonly text: string;
}

export interface RawCreate {
  readonly key: string;
  /** JSON text for the variable; or, with `literal`, the value as it stands in the document. */
  readonly input?: string;
  readonly literal?: string;
  /** Further fields of the input, as GraphQL text. */
  readonly more?: string;
}

export async function postGraphql(url: string, body: string, caller: Caller | Bearer = "ann"): Promise<RawAnswer> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${tokenOf(caller)}` };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body });
  const text = await response.text();
  const { data, errors = [] } = JSON.parse(text) as {
    data?: { createJob: Answer } | null;
    errors?: readonly { extensions?: { code?: string } }[];
  };
  return {
    status: response.status,
    answer: data?.createJob ?? null,
    codes: errors.map((error) => error.extensions?.code ?? ""),
    text,
  };
}

export function createRaw(url: string, { key, input, literal, more = "" }: RawCreate): Promise<RawAnswer> {
  const operation = more.includes("operation:") ? "" : 'operation: "any"';
  const fields = (value: string) => `{idempotencyKey: ${JSON.stringify(key)}, ${operation} ${more}, input: ${value}}`;
  const query =
    literal === undefined
      ? `mutation ($input: JSON!) { createJob(input: ${fields("$input")}) ${selection} }`
      : `mutation { createJob(input: ${fields(literal)}) ${selection} }`;
  return postGraphql(
    url,
    `{"query":${JSON.stringify(query)}${input === undefined ? "" : `,"variables":{"input":${input}}`}}`,
  );
}
