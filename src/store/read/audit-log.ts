/** Reads the audit log: entries by id, and by pages in the order in which they were written. Who may read it is not judged here. */
import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../connect.ts";
import { auditLog } from "../control-tables.ts";
import type { Page, PageRequest } from "../pages.ts";
import type { AuditEntry } from "../store.ts";
import { pageQuery, toPage } from "./page.ts";

const keyset = { at: auditLog.at, id: auditLog.id };

export async function readAuditEntries(db: Database, ids: readonly string[]): Promise<AuditEntry[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(auditLog)
    .where(inArray(auditLog.id, [...ids]));
}

/** `actor` null for everyone's. */
export async function readAuditPage(db: Database, actor: string | null, page: PageRequest): Promise<Page<AuditEntry>> {
  const { where, orderBy, limit } = pageQuery(keyset, page);
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(actor === null ? undefined : eq(auditLog.actor, actor), where))
    .orderBy(...orderBy)
    .limit(limit);
  return toPage(rows, page);
}
