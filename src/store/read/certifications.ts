/** Reads certifications and their checks, and providers' settings. EXPIRED is computed here, by the database's clock. */
import { and, asc, eq, getColumns, inArray, sql } from "drizzle-orm";
import type { Database } from "../connect.ts";
import { certificationChecks, certifications, providerSettings } from "../control-tables.ts";
import type { CertificationFilter, Page, PageRequest } from "../pages.ts";
import type { Certification, CertificationCheck, ProviderSetting } from "../store.ts";
import { pageQuery, toPage } from "./page.ts";

const keyset = { at: certifications.startedAt, id: certifications.id };

const columns = {
  ...getColumns(certifications),
  expired: sql<boolean>`${certifications.status} = 'PASSED' and ${certifications.expiresAt} <= onejob_now()`,
};

type Row = typeof certifications.$inferSelect & { readonly expired: boolean };

function toCertification({ expired, status, ...row }: Row): Certification {
  return { ...row, status: expired ? "EXPIRED" : status };
}

export async function readCertifications(db: Database, ids: readonly string[]): Promise<Certification[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(certifications)
    .where(inArray(certifications.id, [...ids]));
  return rows.map(toCertification);
}

export async function readCertificationPage(
  db: Database,
  { operation, provider }: CertificationFilter,
  page: PageRequest,
): Promise<Page<Certification>> {
  const { where, orderBy, limit } = pageQuery(keyset, page);
  const rows = await db
    .select(columns)
    .from(certifications)
    .where(
      and(
        operation === undefined ? undefined : eq(certifications.operation, operation),
        provider === undefined ? undefined : eq(certifications.provider, provider),
        where,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit);
  return toPage(rows.map(toCertification), page);
}

export async function readChecks(
  db: Database,
  ids: readonly string[],
): Promise<(CertificationCheck & { certificationId: string })[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select()
    .from(certificationChecks)
    .where(inArray(certificationChecks.certificationId, [...ids]))
    .orderBy(asc(certificationChecks.ordinal));
  return rows.map(({ ordinal: _ordinal, ...check }) => check);
}

export async function readProviderSettings(db: Database): Promise<ProviderSetting[]> {
  const rows = await db.select().from(providerSettings);
  return rows.map(({ provider, pausedAt, pauseReason }) => ({ provider, pausedAt, pauseReason }));
}
