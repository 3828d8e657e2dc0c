/** Which of two versions is newer, and whether it may break what the other promised. Semantic Versioning, as far as a release needs it. */

type Numbers = readonly [major: number, minor: number, patch: number];

function numbersOf(version: string): Numbers {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) throw new Error(`${version} is no version`);
  return [Number(major), Number(minor), Number(patch)];
}

/** By the numbers alone: a pre-release counts as its release. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const place = left.findIndex((number, index) => number !== right[index]);
  return place !== -1 && (left[place] ?? 0) < (right[place] ?? 0);
}

/** Whether the step from one to the other announces a break: a higher major version, or a higher minor one while both are 0. */
export function announcesBreak(from: string, to: string): boolean {
  const [[oldMajor, oldMinor], [major, minor]] = [numbersOf(from), numbersOf(to)];
  return major > oldMajor || (major === 0 && oldMajor === 0 && minor > oldMinor);
}

/** The lowest version that announces a break after the given one. */
export function nextBreaking(version: string): string {
  const [major, minor] = numbersOf(version);
  return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
}
