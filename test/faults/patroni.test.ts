/**
 * Nodes on three members of Patroni, as docs/growth.md proposes: parts of the primary's machine are killed or stand still under
 * callers, and an oracle that knows only the answers compares. Nobody but Patroni brings the service back. Only in the long form.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "../long.ts";
import { runAsSuperuser } from "../postgres/database.ts";
import { findMissing, type PatroniCluster, startPatroni } from "../postgres/patroni.ts";
import { startCalledNodes } from "./called-nodes.ts";
import { until } from "./callers.ts";
import { endServersAfterEach } from "./server-process.ts";

const missing = isLong ? findMissing() : "it is part of scripts/explore, and takes minutes";
if (missing) process.stderr.write(`Skips the failover by Patroni: ${missing}\n`);
const root = mkdtempSync(join(tmpdir(), "roster-failing-over-"));
let cluster: PatroniCluster;
afterAll(async () => {
  await cluster?.stop();
  rmSync(root, { recursive: true });
});
endServersAfterEach();

const faults = [
  { part: "machine", signal: "SIGSTOP" },
  { part: "machine", signal: "SIGKILL" },
  { part: "agent", signal: "SIGKILL" },
  { part: "server", signal: "SIGKILL" },
] as const;
const rounds = Number(process.env["TEST_ROUNDS"] ?? 2 * faults.length);

test.skipIf(missing !== undefined)(
  `Patroni fails over under callers, ${rounds} times: nothing acknowledged is lost, and all goes on by itself`,
  async () => {
    cluster = await startPatroni();
    await cluster.whole();
    const url = new URL(cluster.url);
    await runAsSuperuser(url.href, ...listStatements(url.password));
    [url.username, url.pathname] = ["roster", "/roster"];
    const called = await startCalledNodes(root, url.href);
    const { totals, violations } = called;
    const proceed = async () => {
      const before = totals.acknowledged;
      await until(() => totals.acknowledged - before >= 300);
    };
    for (let round = 0; round < rounds; round += 1) {
      const primary = await cluster.whole();
      const { part, signal } = faults[round % faults.length] as (typeof faults)[number];
      const { away } = totals;
      cluster.strike(primary, part, signal);
      await until(() => totals.away > away);
      // The server alone is started again by its own agent.
      if (part !== "server") await until(async () => (await cluster.primary()) !== primary);
      await proceed();
      cluster.restore(primary);
      await cluster.whole();
      await proceed();
      expect(violations).toEqual([]);
    }
    expect(await called.stop()).toEqual([]);
    process.stdout.write(`${rounds} failovers: ${JSON.stringify(totals)}\n`);
  },
  1_800_000,
);

/** As the document tells whoever sets it up. */
function listStatements(password: string): readonly string[] {
  const page = readFileSync(join(import.meta.dir, "../../docs/growth.md"), "utf8");
  const [, text = ""] = /```sql\n(CREATE ROLE.*?)```/s.exec(page) ?? [];
  return text.replace("'...'", `'${password}'`).split(";\n").filter(Boolean);
}
