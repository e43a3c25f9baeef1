/** Sign-in and assistants with their rows in PostgreSQL: the suites that hold them on SQLite, run again. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { isLong } from "../../long.ts";
import { hasPostgres } from "../../postgres/database.ts";

const root = join(import.meta.dir, "../../..");
const suites = ["oauth/authorization", "oauth/refreshing", "sign-in/sessions"];
/** In the gate what rests on rows: written once, taken by one, ended, or found by age. The rest is of pages and of redirects. */
const ofRows = [
  ...["24 a code", "asked about once", "rotates", "a lost answer"],
  ...["many at once", "taken back meanwhile", "one family", "ends after thirty days"],
  ...["takes the place", "13 the end of", "14 sessions expire", "ten minutes after"],
];
const chosen = isLong ? [] : ["--test-name-pattern", ofRows.join("|")];

test.skipIf(!hasPostgres)(
  "the suites of sign-in pass on PostgreSQL",
  async () => {
    const files = suites.map((suite) => `./test/accounts/${suite}.slow.test.ts`);
    const flags = ["--no-isolate", "--timeout", "300000", ...chosen];
    const child = Bun.spawn([process.execPath, "test", ...flags, ...files], {
      ...{ cwd: root, env: { ...process.env, TEST_CONTROL: "postgres" } },
      ...{ stdout: "ignore", stderr: "pipe" },
    });
    const said = await new Response(child.stderr).text();
    expect([await child.exited, said.match(/^\(fail\).*$/gm) ?? []]).toEqual([0, []]);
    // A run of nothing is no pass.
    expect(Number(/^ *(\d+) pass$/m.exec(said)?.[1])).toBeGreaterThanOrEqual(isLong ? 35 : 18);
  },
  900_000,
);
