/** Reads certifications and their checks, and providers' settings. EXPIRED is computed here, by the database's clock. */
import { asc, getColumns, inArray, sql } from "drizzle-orm";
import type { Database } from "../connect.ts";
import { certificationChecks, certifications, providerSettings } from "../control-tables.ts";
import type { Certification, CertificationCheck, ProviderSetting } from "../store.ts";

export async function readCertifications(db: Database, ids: readonly string[]): Promise<Certification[]> {
  if (ids.length === 0) return [];
  const expired = sql<boolean>`${certifications.status} = 'PASSED' and ${certifications.expiresAt} <= onejob_now()`;
  const rows = await db
    .select({ ...getColumns(certifications), expired })
    .from(certifications)
    .where(inArray(certifications.id, [...ids]));
  return rows.map(({ expired: isExpired, status, ...row }) => ({ ...row, status: isExpired ? "EXPIRED" : status }));
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
