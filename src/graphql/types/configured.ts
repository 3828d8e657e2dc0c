/** The ways that lead from a job into the configuration and to certifications: none for a token that is for the job alone. */
import type { Operation, Provider } from "../../domain/operation.ts";
import type { Certification, CertificationCheck } from "../../store/store.ts";
import { maySeeConfiguration } from "../authorise.ts";
import type { RequestContext } from "../context.ts";

/** As configured now; null once the configuration has dropped it. */
export function operationNamed(name: string, { catalog, viewer }: RequestContext): Operation | null {
  return maySeeConfiguration(viewer) ? (catalog.operations.get(name) ?? null) : null;
}

/** As configured now; null once the configuration has dropped it. */
export function providerNamed(name: string, { catalog, viewer }: RequestContext): Provider | null {
  return maySeeConfiguration(viewer) ? (catalog.providers.get(name) ?? null) : null;
}

export async function certificationOf(
  id: string | null,
  { loaders, viewer }: RequestContext,
): Promise<Certification | null> {
  return id !== null && maySeeConfiguration(viewer) ? loaders.certification.load(id) : null;
}

export async function failedChecksOf(
  certificationId: string | null,
  { loaders, viewer }: RequestContext,
): Promise<readonly CertificationCheck[]> {
  if (certificationId === null || !maySeeConfiguration(viewer)) return [];
  const checks = await loaders.certificationChecks.load(certificationId);
  return checks.filter((check) => !check.passed);
}
