import { expect, test } from "bun:test";
import { parseWrk } from "../../scripts/measure/http/load.ts";

test("what wrk prints is read in seconds and milliseconds, and shown when it says nothing of use", () => {
  const output = "Running 1s test\n  2 requests in 1.00s\n\nmeasured 9 2 1 1500000 250 4000\n";
  expect(parseWrk(output)).toEqual({
    ...{ calls: 9, refused: 2, failed: 1, seconds: 1.5, p50Ms: 0.25, p99Ms: 4 },
  });
  expect(() => parseWrk("unable to connect")).toThrow("unable to connect");
});
