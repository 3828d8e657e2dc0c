/** The ids of the API: what is one, and that nothing else ever reaches a statement. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeId, decodeName, encodeId, encodeName, kindOf, newId } from "../../src/store/ids.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("ids of rows", () => {
  it("come back as the UUID that they were made of", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(decodeId("job", encodeId("job", uuid))).toBe(uuid);
      }),
    );
  });

  it("of any 26 letters and digits name a UUID that comes back, or nothing: no version of UUID has all of them", () => {
    const digit = fc.constantFrom(..."0123456789abcdefghjkmnpqrstvwxyz".split(""));
    const suffix = fc.tuple(fc.nat({ max: 7 }), fc.array(digit, { minLength: 25, maxLength: 25 }));
    const ids = fc.sample(suffix, 500).map(([first, rest]) => `job_${first}${rest.join("")}`);
    const uuids = ids.map((id) => decodeId("job", id));
    expect(uuids).toContain(null);
    expect(uuids.map((uuid, index) => (uuid === null ? ids[index] : encodeId("job", uuid)))).toEqual(ids);
  });

  it("are fresh UUIDs of version 7", () => {
    expect(newId()).toMatch(uuidPattern);
    expect(newId()[14]).toBe("7");
    expect(newId()).not.toBe(newId());
  });

  it("are null when they name another kind, or are not exactly an id", () => {
    const id = encodeId("job", newId());
    const suffix = id.slice("job_".length);
    const wrong = [
      encodeId("att", newId()),
      id.toUpperCase(),
      `job_${suffix.toUpperCase()}`,
      `JOB_${suffix}`,
      suffix,
      `job_${suffix}0`,
      `job_${suffix.slice(1)}`,
      ` ${id}`,
      `${id}\n`,
      `job_8${suffix.slice(1)}`,
      `job_${suffix.slice(0, -1)}u`,
      `job__${suffix}`,
      "job_",
      "",
      "\0",
    ];
    expect(wrong.map((text) => decodeId("job", text))).toEqual(wrong.map(() => null));
  });

  it("never throw, and whatever decodes is the only text that does so", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const uuid = decodeId("cert", `cert_${text}`);
        expect(uuid === null || encodeId("cert", uuid) === `cert_${text}`).toBe(true);
      }),
    );
  });
});

describe("ids of names", () => {
  it("hold the name as it is", () => {
    expect(decodeName("op", encodeName("op", "print_2"))).toBe("print_2");
    expect([decodeName("prov", "op_print"), decodeName("op", "op_"), decodeName("op", "print")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("the kind of an id", () => {
  it("is its prefix, or null for one that is none of ours", () => {
    expect(["job_x", "att_", "op_a_b", "prov_x", "cert_x", "audit_x"].map(kindOf)).toEqual([
      "job",
      "att",
      "op",
      "prov",
      "cert",
      "audit",
    ]);
    expect(["", "job", "_job", "user_x", "toString_x"].map(kindOf)).toEqual([null, null, null, null, null]);
  });
});
