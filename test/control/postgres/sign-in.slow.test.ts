/** Sign-in and assistants with their rows in PostgreSQL: the suites that hold them on SQLite, run again. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { hasPostgres } from "../../postgres/database.ts";

const root = join(import.meta.dir, "../../..");
const suites = ["oauth/flow", "oauth/authorization", "oauth/refreshing.slow", "sign-in/sessions"];

test.skipIf(!hasPostgres)(
  "the suites of sign-in pass on PostgreSQL",
  async () => {
    const files = suites.map((suite) => `./test/accounts/${suite}.test.ts`);
    const child = Bun.spawn([process.execPath, "test", "--timeout", "300000", ...files], {
      ...{ cwd: root, env: { ...process.env, TEST_CONTROL: "postgres" } },
      ...{ stdout: "ignore", stderr: "pipe" },
    });
    const said = await new Response(child.stderr).text();
    expect([await child.exited, said.match(/^\(fail\).*$/gm) ?? []]).toEqual([0, []]);
    // A run of nothing is no pass.
    expect(Number(/^ *(\d+) pass$/m.exec(said)?.[1])).toBeGreaterThan(30);
  },
  900_000,
);
