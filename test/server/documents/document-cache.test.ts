/** What is kept of documents that were seen is bounded by what it takes in memory, not by their number alone. */
import { GraphQLError, parse } from "graphql";
import { expect, it } from "vitest";
import { documentCache } from "../../../src/server/documents/document-cache.ts";

it("keeps a document for the next call with the same text", () => {
  const { documentCache: documents } = documentCache();
  const document = parse("{ viewer { ownerId } }");
  documents.set("{ viewer { ownerId } }", document);
  expect(documents.get("{ viewer { ownerId } }")).toBe(document);
});

it("lets the oldest go before documents of many tokens, or of a long text, fill the memory", () => {
  const { documentCache: documents, errorCache: errors } = documentCache();
  const long = parse(`{ viewer { ${"ownerId ".repeat(1_990)} } }`);
  for (let index = 0; index < 200; index += 1) documents.set(`${index} of many tokens`, long);
  expect(documents.size).toBeLessThan(100);
  expect(documents.get("199 of many tokens")).toBe(long);
  const comment = "#".repeat(1_000_000);
  for (let index = 0; index < 40; index += 1) {
    documents.set(`${index}${comment}`, long);
    errors.set(`${index}${comment}`, new GraphQLError("No GraphQL."));
  }
  expect(documents.size).toBeLessThan(30);
  expect(errors.size).toBeLessThan(10);
});
