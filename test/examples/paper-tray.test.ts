/** What the paper tray promises: whole sheets, never one over another. It does not look into the sheets. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listTray, nameSheet, putIntoTray } from "../../examples/print-shop/paper-tray.ts";

let folder = "";
let tray = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "onejob-tray-"));
  tray = path.join(folder, "tray");
});

afterEach(() => rm(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a sheet's name tells the document, the attempt and the provider", () => {
  expect(nameSheet({ documentName: "README.md", attempt: 1, provider: "inkjet" })).toBe("README-attempt-1-inkjet.pdf");
  expect(nameSheet({ documentName: "docs/design.v2.txt", attempt: 2, provider: "laser" })).toBe(
    "design.v2-attempt-2-laser.pdf",
  );
});

const ODD_NAMES = [
  "../../etc/passwd",
  "..",
  "",
  "a\u0000b",
  "C:\\a\\b.md",
  "a b/c?.md",
  "\ud800",
  "/",
  `${"ü".repeat(500)}.md`,
];

test.each(ODD_NAMES.map((name) => [name.slice(0, 20), name] as const))(
  "the document name %j gives a plain file name of bearable length",
  async (_, documentName) => {
    const name = nameSheet({ documentName, attempt: 1, provider: "laser" });
    expect(name).toMatch(/^[^./\\][^/\\]*-attempt-1-laser\.pdf$/);
    expect(await putIntoTray(tray, name, bytes("x"))).toBe(name);
  },
);

test("a sheet lies in the tray whole, and nothing else does", async () => {
  expect(await listTray(tray)).toEqual([]);
  expect(await putIntoTray(tray, "a.pdf", bytes("sheet"))).toBe("a.pdf");
  expect(await readFile(path.join(tray, "a.pdf"), "utf8")).toBe("sheet");
  expect(await readdir(tray)).toEqual(["a.pdf"]);
});

test("a sheet never takes another's place, also when many come at once", async () => {
  const names = await Promise.all(
    Array.from({ length: 8 }, (_, index) => putIntoTray(tray, "a.pdf", bytes(`${index}`))),
  );
  expect(new Set(names).size).toBe(8);
  expect(await listTray(tray)).toEqual([...names].toSorted());
  const contents = await Promise.all(names.map((name) => readFile(path.join(tray, name), "utf8")));
  expect(contents).toEqual(Array.from({ length: 8 }, (_, index) => `${index}`));
});

test.each(["../a.pdf", "b/a.pdf", ".hidden.pdf", "", ".."])(
  "the name %j is refused and nothing written",
  async (name) => {
    await expect(putIntoTray(tray, name, bytes("x"))).rejects.toThrow("plain file name");
    expect(await listTray(tray)).toEqual([]);
  },
);

test("a tray that cannot be made is an error, and leaves nothing", async () => {
  await writeFile(tray, "a file where the tray should be");
  await expect(putIntoTray(tray, "a.pdf", bytes("x"))).rejects.toThrow("EEXIST");
  expect(await readdir(folder)).toEqual(["tray"]);
});
