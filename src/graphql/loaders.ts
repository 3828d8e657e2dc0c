/**
 * Reads gathered into batches and remembered for one operation, or for one event and all who follow it. They decide nothing:
 * `visible…` loaders answer for ids that a caller named, the others follow ids which the store itself handed out.
 */

import DataLoader from "dataloader";
import type { GateAnswer } from "../domain/certification.ts";
import type { Attempt, Job, JobEvent } from "../domain/job.ts";
import type { Catalog } from "../domain/operation.ts";
import type { KeyHolder, Scope } from "../store/commands.ts";
import type { AuditEntry, Certification, CertificationCheck, ProviderSetting, Store } from "../store/store.ts";

/** Which events of a job: those after a number, the first or with `newest` the last ones. */
export interface EventsWanted {
  readonly jobId: string;
  readonly after: number;
  readonly limit: number;
  readonly newest: boolean;
}

/** Which jobs and attempts may be named: those of a scope, or of them one job's alone. */
export interface Sight {
  readonly scope: Scope;
  readonly onlyJobId: string | null;
}

export interface GateWanted {
  readonly operation: string;
  readonly provider: string;
}

export interface KeyWanted {
  readonly ownerId: string;
  readonly key: string;
}

export interface Loaders {
  readonly visibleJob: DataLoader<string, Job | null>;
  readonly visibleAttempt: DataLoader<string, Attempt | null>;
  readonly job: DataLoader<string, Job | null>;
  readonly attempt: DataLoader<string, Attempt | null>;
  readonly attemptsOfJob: DataLoader<string, readonly Attempt[]>;
  readonly events: DataLoader<EventsWanted, readonly JobEvent[], string>;
  /** Null where the configuration knows the operation or the provider no more. */
  readonly gate: DataLoader<GateWanted, GateAnswer | null, string>;
  readonly certification: DataLoader<string, Certification | null>;
  readonly certificationChecks: DataLoader<string, readonly CertificationCheck[]>;
  readonly providerSetting: DataLoader<string, ProviderSetting | null>;
  readonly keyHolder: DataLoader<KeyWanted, KeyHolder | null, string>;
  readonly auditEntry: DataLoader<string, AuditEntry | null>;
}

export function createLoaders(store: Store, { scope, onlyJobId }: Sight, catalog: Catalog): Loaders {
  const { read } = store;
  const isInSight = (jobId: string) => onlyJobId === null || jobId === onlyJobId;
  const loaders: Loaders = {
    visibleJob: oneById(async (ids) => rememberJobs(loaders, await read.jobs(ids.filter(isInSight), scope))),
    visibleAttempt: oneById(async (ids) => {
      const attempts = await read.attempts(ids, scope);
      return rememberAttempts(
        loaders,
        attempts.filter(({ jobId }) => isInSight(jobId)),
      );
    }),
    job: oneById((ids) => read.jobs(ids, null)),
    attempt: oneById((ids) => read.attempts(ids, null)),
    attemptsOfJob: manyBy(
      (ids) => read.attemptsOfJobs(ids),
      (attempt) => attempt.jobId,
    ),
    events: new DataLoader((wanted) => loadEvents(store, wanted), { cacheKeyFn: (wanted) => JSON.stringify(wanted) }),
    gate: new DataLoader((wanted) => loadGates(store, catalog, wanted), {
      cacheKeyFn: ({ operation, provider }) => JSON.stringify([operation, provider]),
    }),
    certification: oneById((ids) => read.certifications(ids)),
    certificationChecks: manyBy(
      (ids) => read.certificationChecks(ids),
      (check) => check.certificationId,
    ),
    providerSetting: new DataLoader(async (names) => {
      const settings = new Map((await read.providerSettings()).map((setting) => [setting.provider, setting]));
      return names.map((name) => settings.get(name) ?? null);
    }),
    keyHolder: new DataLoader((wanted) => loadKeyHolders(store, wanted), {
      cacheKeyFn: ({ ownerId, key }) => JSON.stringify([ownerId, key]),
    }),
    auditEntry: oneById((ids) => read.auditEntries(ids)),
  };
  return loaders;
}

/** Jobs that were read in another way need not be read again for what hangs on them. */
export function rememberJobs<Jobs extends readonly Job[]>(loaders: Loaders, jobs: Jobs): Jobs {
  for (const job of jobs) loaders.job.prime(job.id, job);
  return jobs;
}

export function rememberAttempts<Attempts extends readonly Attempt[]>(loaders: Loaders, attempts: Attempts): Attempts {
  for (const attempt of attempts) loaders.attempt.prime(attempt.id, attempt);
  return attempts;
}

/** Hands over what the feed has read already, so that an event costs no query per follower. */
export function primeLoaders(
  loaders: Loaders,
  snapshot: { readonly job: Job; readonly attempts: readonly Attempt[] },
): void {
  rememberJobs(loaders, [snapshot.job]);
  loaders.attemptsOfJob.prime(snapshot.job.id, rememberAttempts(loaders, snapshot.attempts));
}

function oneById<Row extends { readonly id: string }>(
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): DataLoader<string, Row | null> {
  return new DataLoader(async (ids) => {
    const rows = new Map((await read(ids)).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? null);
  });
}

function manyBy<Row>(
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
  parentOf: (row: Row) => string,
): DataLoader<string, readonly Row[]> {
  return new DataLoader(async (ids) => {
    const rows = groupBy(await read(ids), parentOf);
    return ids.map((id) => rows.get(id) ?? []);
  });
}

/** One read for each distinct question; within one, a job is asked for once, so that its events are told by its id. */
async function loadEvents(store: Store, wanted: readonly EventsWanted[]): Promise<readonly (readonly JobEvent[])[]> {
  const questionOf = ({ after, limit, newest }: EventsWanted) => JSON.stringify([after, limit, newest]);
  const answers = new Map<string, ReadonlyMap<string, readonly JobEvent[]>>();
  await Promise.all(
    [...groupBy(wanted, questionOf)].map(async ([question, group]) => {
      const [first] = group;
      if (first === undefined) return;
      const starts = group.map(({ jobId, after }) => ({ jobId, number: after }));
      answers.set(
        question,
        groupBy(await store.read.events(starts, first.limit, first.newest), (event) => event.jobId),
      );
    }),
  );
  return wanted.map((one) => answers.get(questionOf(one))?.get(one.jobId) ?? []);
}

async function loadKeyHolders(store: Store, wanted: readonly KeyWanted[]): Promise<readonly (KeyHolder | null)[]> {
  const holders = new Map<string, ReadonlyMap<string, KeyHolder>>();
  await Promise.all(
    [...groupBy(wanted, ({ ownerId }) => ownerId)].map(async ([ownerId, group]) => {
      const keys = group.map(({ key }) => key);
      holders.set(ownerId, await store.read.keyHolders(ownerId, keys));
    }),
  );
  return wanted.map(({ ownerId, key }) => holders.get(ownerId)?.get(key) ?? null);
}

async function loadGates(
  store: Store,
  catalog: Catalog,
  wanted: readonly GateWanted[],
): Promise<readonly (GateAnswer | null)[]> {
  const known = wanted.flatMap((gate, index) => {
    const operation = catalog.operations.get(gate.operation);
    const provider = catalog.providers.get(gate.provider);
    if (operation === undefined || provider === undefined) return [];
    const { name, version, contractDigest } = operation;
    const question = {
      operation: name,
      operationVersion: version,
      contractDigest,
      provider: provider.name,
      providerRevision: provider.revision,
    };
    return [{ index, question }];
  });
  const answers = known.length === 0 ? [] : await store.read.gates(known.map(({ question }) => question));
  const byIndex = new Map(known.map(({ index }, position) => [index, answers[position]]));
  return wanted.map((_, index) => byIndex.get(index) ?? null);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
