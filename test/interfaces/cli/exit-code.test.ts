import { expect, test } from "bun:test";
import { Fault } from "../../../src/contract/fault.ts";
import { describeFault } from "../../../src/interfaces/cli/exit-code.ts";

test("a fault ends the command with its exit code, and only the command line names commands and flags", () => {
  const ending = (...[code, message]: ConstructorParameters<typeof Fault>) =>
    Object.values(describeFault(new Fault(code, message)));
  expect(ending("key_malformed", "it is no key")).toEqual([
    2,
    "it is no key; make one with: roster key new",
  ]);
  expect(ending("folder_in_use", "DIR is served by another Roster (process 7).")).toEqual([
    5,
    "DIR is served by another Roster (process 7). Stop it, or choose another folder with --data.",
  ]);
  expect(ending("no_administrator", "there is none")).toEqual([
    4,
    "there is none; enable one with: roster account enable EMAIL",
  ]);
  expect(ending("refused", "FILE is empty.")).toEqual([3, "FILE is empty."]);
});
