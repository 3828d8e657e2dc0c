/** What of the contract no test can show yet, with the reason. A part that is built leaves this list, and its file then asks for its test. */
import { partsOf } from "./contract-parts.ts";

const certification = "certification runs are a later step: the field answers NOT_AVAILABLE_YET";
const reconciler = "nothing asks providers by itself yet: the reconciler is a later step";

/** Fields that answer NOT_AVAILABLE_YET, with a document that asks for each one. */
export const notAvailableYet: readonly (readonly [part: string, document: string])[] = [
  [
    "Mutation.certifyProvider",
    'mutation { certifyProvider(input: { operation: "print", provider: "laser" }) { __typename } }',
  ],
  [
    "Mutation.revokeCertification",
    'mutation { revokeCertification(input: { certificationId: "cert_1", reason: "x" }) { __typename } }',
  ],
  ["Subscription.certificationUpdated", 'subscription { certificationUpdated(id: "cert_1") { id } }'],
];

/** Types that are reached through those fields alone. */
const typesNotAvailableYet = [
  "CertifyProviderInput",
  "CertifyProviderResult",
  "CertifyProviderSuccess",
  "RevokeCertificationInput",
  "RevokeCertificationResult",
  "RevokeCertificationSuccess",
] as const;

/** Reasons by part, or by what is not seen of it. */
export const exceptions: ReadonlyMap<string, string> = new Map([
  ["Mutation.certifyProvider", certification],
  ["Mutation.revokeCertification", certification],
  ["Subscription.certificationUpdated", certification],
  ...typesNotAvailableYet.flatMap(partsOf).map((part) => [part, certification] as const),
  ["EventCause.RECONCILER", reconciler],
]);
