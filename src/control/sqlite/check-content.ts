/** Checks the content of control.db: the hashes of the audit log, and the form of all other rows. */
import { type Check, collectFindings } from "../../sqlite/check-database.ts";
import type { Database } from "../../sqlite/database.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { findBrokenAuditRow } from "../rows/audit-rows.ts";
import { tables } from "./tables.ts";

/** @returns messages about what is wrong. */
export function* checkControlContent(store: Database): Check {
  const count = (from: string) =>
    store.sqlite.readValue<number>(`SELECT count(*) FROM ${from}`) ?? 0;
  const wrong: readonly (readonly [from: string, says: string])[] = [
    ["api_key WHERE length(digest) <> 32", "API keys are damaged"],
    [
      "usage WHERE used < 0 OR (window NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*')",
      "counts of calls are damaged",
    ],
    ["source WHERE json_valid(settings) = 0 OR json_valid(state) = 0", "sources are damaged"],
    ["audit WHERE NOT json_valid(detail)", "entries of the audit log are damaged"],
  ];
  const checks = [
    ...wrong.map(([from, says]) => () => {
      const rows = count(from);
      return rows > 0 ? [`${rows} ${says}`] : [];
    }),
    () => {
      const broken = runAtOnce(store.orm, (queries) => findBrokenAuditRow(queries, tables));
      return broken === undefined ? [] : [`the audit log's chain is broken at entry ${broken}`];
    },
  ];
  const faults: string[] = [];
  for (const check of checks) {
    faults.push(...collectFindings(check));
    yield;
  }
  return faults;
}
