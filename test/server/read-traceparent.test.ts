/** The header traceparent, as W3C's Trace Context has it: what is taken, what is ignored, and how a later version is read. */
import { describe, expect, test } from "vitest";
import { readTraceparent } from "../../src/server/read-traceparent.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

describe("version 00", () => {
  test.each(["00", "01", "03", "ff"])("is taken as it is, with the flags %s", (flags) => {
    const header = `00-${trace}-${parent}-${flags}`;
    expect(readTraceparent(header)).toBe(header);
  });

  test.each([
    ["absent", null],
    ["empty", ""],
    ["any text", "my trace"],
    ["a part of it", `00-${trace}-${parent}`],
    ["upper case", `00-${trace.toUpperCase()}-${parent}-01`],
    ["upper case in the parent", `00-${trace}-${parent.toUpperCase()}-01`],
    ["no hexadecimal digit", `00-${trace.replace("0", "g")}-${parent}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["a parent of zeros", `00-${trace}-${"0".repeat(16)}-01`],
    ["a trace that is too short", `00-${trace.slice(1)}-${parent}-01`],
    ["a parent that is too long", `00-${trace}-${parent}0-01`],
    ["flags of three digits", `00-${trace}-${parent}-011`],
    ["more than its fields", `00-${trace}-${parent}-01-more`],
    ["a line break at its end", `00-${trace}-${parent}-01\n`],
    ["sent twice", `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
  ])("%s is ignored", (_name, header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});

describe("a later version", () => {
  test.each([
    ["with nothing more", `01-${trace}-${parent}-01`, "01"],
    ["with more behind it", `cc-${trace}-${parent}-01-what-the-future-will-be-like`, "01"],
    ["with flags that are not known", `01-${trace}-${parent}-fe`, "00"],
    ["with those and the known one", `01-${trace}-${parent}-ff`, "01"],
  ])("%s is read as version 00", (_name, header, flags) => {
    expect(readTraceparent(header)).toBe(`00-${trace}-${parent}-${flags}`);
  });

  test.each([
    ["the version ff, which is none", `ff-${trace}-${parent}-01`],
    ["more without a dash", `01-${trace}-${parent}-01.more`],
    ["a trace of zeros", `01-${"0".repeat(32)}-${parent}-01`],
    ["a parent of zeros", `01-${trace}-${"0".repeat(16)}-01`],
    ["upper case", `01-${trace.toUpperCase()}-${parent}-01`],
    ["a part of it", `01-${trace}-${parent}-`],
  ])("%s is ignored", (_name, header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});
