/** An id of each kind of thing that has one, as examples show it. Nothing of the kind needs to exist. */
import { encodeId, encodeName } from "../../src/store/ids.ts";

/** By the type that the id names. */
export const exampleIds = {
  Job: encodeId("job", "0198a2e4-6b51-7c3a-8f02-5d7e91b4c6a8"),
  Attempt: encodeId("att", "0198a2e4-6b52-7d10-a3c4-17f08e2b9d65"),
  Operation: encodeName("op", "print"),
  Provider: encodeName("prov", "laser"),
  Certification: encodeId("cert", "0198a2e4-6b53-7e77-92b1-c05a3f6d84e9"),
  AuditEntry: encodeId("audit", "0198a2e4-6b54-7f05-b6d8-4a91e7c2035f"),
} as const;
