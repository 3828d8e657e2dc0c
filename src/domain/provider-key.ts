/** The idempotency key that a provider is handed: one for all attempts of a job at it. It is not the owner's key of the job. */

/** `jobId` is the id as the API shows it, so that a provider's logs and ours name the same thing. */
export function providerIdempotencyKey(jobId: string, provider: string): string {
  return `${jobId}:${provider}`;
}
