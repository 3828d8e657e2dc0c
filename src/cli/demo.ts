/** The command `demo`: not written yet. */
export async function demo(_args: string[]): Promise<number> {
  console.error("onejob: the demo is not part of this build.");
  return 1;
}
