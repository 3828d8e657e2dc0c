/** Keeps what was parsed and validated for the next call with the same document, within a bound of memory. It parses nothing. */
import type { DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

/** What a token takes in memory with the nodes made of it, at most. */
const bytesOfToken = 500;
const documentBytes = 64 * 1024 ** 2;
const errorBytes = 8 * 1024 ** 2;

/** Yoga's own keeps the last 1,024, of any size: a caller with long documents would fill the memory. */
export function documentCache() {
  return {
    documentCache: new LRUCache<string, DocumentNode>({
      maxSize: documentBytes,
      sizeCalculation: ({ tokenCount = 0 }, text) => 2 * text.length + bytesOfToken * tokenCount + 1,
    }),
    errorCache: new LRUCache<string, object>({
      maxSize: errorBytes,
      sizeCalculation: (_error, text) => 2 * text.length + 2_000,
    }),
  };
}
