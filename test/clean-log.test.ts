import { expect, test } from "bun:test";
import { createKey } from "../src/accounts/accounts.ts";
import { requireCleanLog } from "./clean-log.ts";

test("a plain line and a secret in a server's log fail the test that opened it", () => {
  requireCleanLog('{"msg":"a"}\n{"msg":"rst_abcd"}\n{"msg":"hal', "a log");
  for (const line of [
    "a plain line",
    "[1]",
    JSON.stringify({ msg: `refused ${createKey()}` }),
    JSON.stringify({ cookie: "__Host-roster.session_token=abc" }),
    JSON.stringify({ url: "/set-up?token=abcdefghijklmnopqrst" }),
  ]) {
    expect(() => requireCleanLog(`${line}\n`, "a log")).toThrow("a log has a line");
  }
});
