/**
 * The tables of what operators and certification runs record, for Drizzle and drizzle-kit. Jobs and attempts are tables.ts.
 */
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  primaryKey,
  snakeCase,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { certificationStatuses } from "../domain/certification.ts";
import type { Json } from "../domain/json.ts";

export const certificationStatus = pgEnum("certification_status", certificationStatuses);

/** Milliseconds are kept, no more: what the API shows is exactly what is compared. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

export const certifications = snakeCase.table(
  "certifications",
  {
    id: uuid().primaryKey(),
    operation: text().notNull(),
    operationVersion: integer().notNull(),
    contractDigest: text().notNull(),
    provider: text().notNull(),
    providerRevision: text().notNull(),
    status: certificationStatus().notNull(),
    requestedBy: text().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    expiresAt: instant(),
    revokedAt: instant(),
    revokedBy: text(),
    revokedReason: text(),
  },
  (certification) => [
    index("certifications_newest").on(
      certification.operation,
      certification.provider,
      certification.startedAt,
      certification.id,
    ),
  ],
);

export const certificationChecks = snakeCase.table(
  "certification_checks",
  {
    certificationId: uuid()
      .notNull()
      .references(() => certifications.id),
    ordinal: integer().notNull(),
    code: text().notNull(),
    caseName: text(),
    passed: boolean().notNull(),
    runs: integer().notNull(),
    failures: integer().notNull(),
    path: text(),
    required: text(),
    observed: text(),
  },
  (row) => [primaryKey({ columns: [row.certificationId, row.ordinal] })],
);

export const auditLog = snakeCase.table(
  "audit_log",
  {
    id: uuid().primaryKey(),
    at: instant().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    targetId: text(),
    reason: text(),
    detail: jsonb().$type<Json>(),
  },
  (entry) => [index("audit_log_by_time").on(entry.at, entry.id)],
);

export const providerSettings = snakeCase.table("provider_settings", {
  provider: text().primaryKey(),
  pausedAt: instant(),
  pausedBy: text(),
  pauseReason: text(),
});

/** Of each provider with a limit: the row that claims lock in turn, and when attempts last started on it. */
export const providerPaces = snakeCase.table("provider_paces", {
  provider: text().primaryKey(),
  starts: timestamp({ withTimezone: true, precision: 3, mode: "date" }).array().notNull(),
  /** How long back they are kept: the longest that a claim has asked for. */
  windowMs: integer().notNull(),
});

/** What each owner has created lately, in slices of the span over which a limit counts. Written only where there is a limit. */
export const creationRates = snakeCase.table(
  "creation_rates",
  {
    ownerId: text().notNull(),
    perMs: integer().notNull(),
    /** Oldest first, each with its amount in the other array. */
    sliceEnds: timestamp({ withTimezone: true, precision: 3, mode: "date" }).array().notNull(),
    amounts: integer().array().notNull(),
  },
  (rate) => [
    primaryKey({ columns: [rate.ownerId, rate.perMs] }),
    check("creation_rates_slices", sql`cardinality(${rate.sliceEnds}) = cardinality(${rate.amounts})`),
  ],
);
