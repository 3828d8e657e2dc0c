/** Binds every read to the store's connections. No query stands here. */
import type { Connections } from "../connect.ts";
import type { Reads } from "../store.ts";
import { countAttempts, readAttemptPage, readAttempts, readAttemptsOfJobs } from "./attempts.ts";
import { readAuditEntries, readAuditPage } from "./audit-log.ts";
import { readCertificationPage, readCertifications, readChecks, readProviderSettings } from "./certifications.ts";
import { readGates } from "./gates.ts";
import { readEvents } from "./job-events.ts";
import {
  countJobs,
  readEventCounts,
  readJobByKey,
  readJobHeads,
  readJobPage,
  readJobs,
  readKeyHolders,
  readOpenJobIds,
} from "./jobs.ts";
import { newestEventNumbers } from "./newest-event-numbers.ts";

export function openReads({ sql, db }: Connections): Reads {
  const newestOf = newestEventNumbers(sql);
  return {
    jobs: (ids, scope) => readJobs(db, ids, scope),
    attempts: (ids, scope) => readAttempts(db, ids, scope),
    eventCounts: (ids) => readEventCounts(db, ids),
    newestEventNumber: (jobId, scope) => newestOf({ jobId, scope }),
    jobHeads: (ids, withStates) => readJobHeads(db, ids, withStates),
    jobByKey: (ownerId, key) => readJobByKey(db, ownerId, key),
    keyHolders: (ownerId, keys) => readKeyHolders(db, ownerId, keys),
    jobPage: (filter, page) => readJobPage(db, filter, page),
    openJobIds: (filter, limit) => readOpenJobIds(db, filter, limit),
    jobCount: (filter) => countJobs(db, filter),
    attemptPage: (filter, page) => readAttemptPage(db, filter, page),
    attemptCount: (filter) => countAttempts(db, filter),
    attemptsOfJobs: (jobIds) => readAttemptsOfJobs(db, jobIds),
    events: (after, limit, newest = false) => readEvents(sql, after, limit, newest),
    gates: (questions) => readGates(sql, questions),
    certifications: (ids) => readCertifications(db, ids),
    certificationChecks: (ids) => readChecks(db, ids),
    certificationPage: (filter, page) => readCertificationPage(db, filter, page),
    auditEntries: (ids) => readAuditEntries(db, ids),
    auditPage: (actor, page) => readAuditPage(db, actor, page),
    providerSettings: () => readProviderSettings(db),
    async ping() {
      await sql`select 1`;
    },
  };
}
