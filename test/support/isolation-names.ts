/** The names of ann's jobs as a stranger might have come by them, and beside each the names of a job that never was. */
import { randomUUID } from "node:crypto";
import { numberCursor, positionAt, positionCursor } from "../../src/graphql/cursors.ts";
import { encodeId, newId } from "../../src/store/ids.ts";
import type { Api } from "./api-client.ts";
import type { ApiServer } from "./api-server.ts";
import { annsOwnerId } from "./isolation-config.ts";
import type { Thing } from "./isolation-jobs.ts";
import { secret } from "./isolation-secrets.ts";
import type { Names } from "./isolation-values.ts";

/** Ann's, and its like of nobody's: whoever cannot tell them apart learns nothing. */
export interface Pair {
  readonly name: string;
  readonly foreign: Names;
  readonly invented: Names;
}

interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly job?: { readonly id: string } };
}
type Lists = Readonly<Record<string, { readonly edges: readonly Edge[] }>>;

const owned = `{ jobs(first: 100) { edges { cursor node { id } } }
  attempts(first: 100) { edges { cursor node { id job { id } } } } }`;
const audited = "{ auditLog(first: 100) { edges { cursor node { id } } } }";
const proven = "{ certifications(first: 100) { edges { cursor node { id } } } }";

async function cursorsOf(api: Api, document: string): Promise<ReadonlyMap<string, readonly Edge[]>> {
  const lists = await api.ask<Lists>(document);
  return new Map(Object.entries(lists).map(([name, { edges }]) => [`Query.${name}`, edges]));
}

const kinds = {
  "Query.jobs": ["jobs", "job"],
  "Query.attempts": ["attempts", "att"],
  "Query.auditLog": ["auditLog", "audit"],
} as const;

/** The same place in the list, of a row that never was. */
function inventedCursor(field: keyof typeof kinds, cursor: string): string {
  const [list, kind] = kinds[field];
  return positionCursor(list, kind, { at: positionAt(list, kind, cursor).at, id: newId() });
}

function nobodys(jobId: string) {
  const attemptId = encodeId("att", newId());
  return { jobId, attemptId, key: randomUUID(), ownerId: randomUUID(), claimKey: randomUUID() };
}

/** Two of each job: the plain argument `id` is given the job's or the attempt's; of one an audit entry's as well. */
export async function pairsOf({ ann, operator }: ApiServer, things: readonly Thing[]): Promise<readonly Pair[]> {
  const lists = new Map([
    ...(await cursorsOf(ann, owned)),
    ...(await cursorsOf(operator, audited)),
    ...(await cursorsOf(operator, proven)),
  ]);
  const audit = lists.get("Query.auditLog") ?? [];
  // Certifications are everybody's to see: their cursors and ids are no names of ann's.
  const shared = { "Query.certifications": lists.get("Query.certifications")?.[0]?.cursor ?? "" };
  return things.flatMap((thing, index) => {
    const { name, jobId, attemptId, key } = thing;
    // A token proves a claim to whoever has it: no stranger has one that fits.
    const leaseToken = randomUUID();
    const entry = audit[index % audit.length];
    const cursors = {
      "Query.jobs": lists.get("Query.jobs")?.find(({ node }) => node.id === jobId)?.cursor,
      "Query.attempts": lists.get("Query.attempts")?.find(({ node }) => node.job?.id === jobId)?.cursor,
      "Query.auditLog": entry?.cursor,
    };
    const [jobs, attempts, auditLog] = Object.values(cursors);
    // A released job is gone: it is as if it had never been.
    if (jobs === undefined || attempts === undefined || auditLog === undefined || entry === undefined) return [];
    const foreign = {
      jobId,
      attemptId,
      key,
      leaseToken,
      ownerId: annsOwnerId,
      claimKey: secret("claim"),
      cursors: { ...shared, ...cursors, "Job.attempts": numberCursor("attempts-of-job", jobId, 1) } as Names["cursors"],
    };
    const noJob = encodeId("job", newId());
    const invented = {
      ...nobodys(noJob),
      leaseToken,
      cursors: {
        ...shared,
        "Query.jobs": inventedCursor("Query.jobs", jobs),
        "Query.attempts": inventedCursor("Query.attempts", attempts),
        "Query.auditLog": inventedCursor("Query.auditLog", auditLog),
        "Job.attempts": numberCursor("attempts-of-job", noJob, 1),
      },
    };
    return [
      { name, foreign: { ...foreign, id: jobId }, invented: { ...invented, id: noJob } },
      { name, foreign: { ...foreign, id: attemptId }, invented: { ...invented, id: invented.attemptId } },
      ...(index > 0
        ? []
        : [
            {
              name,
              foreign: { ...foreign, id: entry.node.id },
              invented: { ...invented, id: encodeId("audit", newId()) },
            },
          ]),
    ];
  });
}

/** Names of nothing on both sides, for a walk in which nobody's are named: its cursors stand before everything. */
export function neutralPair(): Pair {
  const at = new Date("2026-01-01T00:00:00.000Z");
  const jobId = encodeId("job", newId());
  const names = {
    ...nobodys(jobId),
    id: jobId,
    leaseToken: randomUUID(),
    cursors: {
      "Query.jobs": positionCursor("jobs", "job", { at, id: newId() }),
      "Query.attempts": positionCursor("attempts", "att", { at, id: newId() }),
      "Query.auditLog": positionCursor("auditLog", "audit", { at, id: newId() }),
      "Query.certifications": positionCursor("certifications", "cert", { at, id: newId() }),
      "Job.attempts": numberCursor("attempts-of-job", jobId, 1),
    },
  };
  return { name: "nothing", foreign: names, invented: names };
}
