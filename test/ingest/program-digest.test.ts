import { expect, test } from "bun:test";
import { digestProgram } from "../../src/ingest/program-digest.ts";

test("it is the same in every process, and names no folder of this machine", () => {
  expect(digestProgram()).toBe(digestProgram());
  expect(digestProgram()).toMatch(/^[\w-]{43}$/);
});
