/** What is said of each fault in the origins of a configuration: enough to write it right. No request is judged. */
import { expect, it } from "vitest";
import { readHttp } from "../../../src/server/config/read-http.ts";

function faultsOf(cors: unknown): string[] {
  const faults: string[] = [];
  readHttp({ cors }, (where, what) => void faults.push(`${where} ${what}`));
  return faults;
}

it.each([
  ["http://localhost:5173/", "write http://localhost:5173"],
  ["https://App.example.com:443/path", "write https://app.example.com"],
  ["localhost:5173", "write https://app.example.com, without a path"],
  ["app.example.com", "write https://app.example.com, without a path"],
  ["null", "write https://app.example.com, without a path"],
  ["*", 'for every page, write origins: "*" without the list'],
])("%s in the list is refused, and the right way to write it named", (origin, remedy) => {
  expect(faultsOf({ origins: [origin] })).toEqual([`http.cors.origins[0] is no origin: ${remedy}`]);
});

it("every page with credentials is refused", () => {
  expect(faultsOf({ origins: "*", credentials: true })).toEqual([
    'http.cors.credentials must not be true with origins "*": name the origins',
  ]);
});

it("origins are taken as browsers send them, and so is every page without credentials", () => {
  for (const origins of [["http://localhost:5173", "https://app.example.com"], ["http://[::1]:8080"], "*"])
    expect(faultsOf({ origins })).toEqual([]);
});
