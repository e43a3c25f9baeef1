/**
 * The promise under test: what was acknowledged is true after any crash of the database or of a node. Three nodes call
 * as fast as they can while PostgreSQL is killed, or halted as in a failover, and one node with it now and then; an oracle that
 * knows only the nodes' answers compares.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createQuota } from "../../src/control/quota.ts";
import { isLong } from "../long.ts";
import { hasPostgres } from "../postgres/database.ts";
import { startPostgres } from "../postgres/server.ts";
import { createRandom, drawSeed } from "../random.ts";
import { until } from "./callers.ts";
import { openOracle } from "./oracle.ts";

const rounds = isLong ? 15 : 3;
const clientsOfNode = 32;
const smallLimit = 1000;
const emails = ["ada", "ben", "cai", "dee"].map((name) => `${name}@example.com`);
const random = createRandom(drawSeed("PostgreSQL killed"));
const now = () => new Date();

/** What the nodes said, by account. */
function openLedger() {
  const oracle = openOracle();
  const totals = { counted: 0, refused: 0, unknown: 0, away: 0 };
  const refused = new Map<string, number>();
  const hear = (line: string) => {
    const [word, place, used, limit, month = ""] = line.split(" ");
    const email = emails[Number(place)] as string;
    if (word === "sent") oracle.sent(email);
    else if (word === "counted") {
      totals.counted += 1;
      oracle.acknowledged(email, { used: Number(used), limit: Number(limit), month });
    } else if (word === "refused") {
      totals.refused += 1;
      refused.set(email, (refused.get(email) ?? 0) + 1);
    } else if (word === "unknown") totals.unknown += 1;
    else if (word === "away") totals.away += 1;
    else oracle.violations.push(line);
  };
  /** What was refused was not counted; nothing that was sent once was counted twice. */
  const compare = (email: string, quota: { used: number; month: string }) =>
    oracle.compare(email, { ...quota, refused: refused.get(email) ?? 0 });
  return { hear, compare, totals, violations: oracle.violations };
}

/** Starts a node again when it ends, as a service manager does: one that opens while its database is killed ends at once. */
function startNode(url: string, keys: readonly string[], hear: (line: string) => void) {
  const script = join(import.meta.dir, "node-child.ts");
  const command = [process.execPath, script, url, String(clientsOfNode), ...keys];
  const start = () => Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  let child = start();
  let isKilled = false;
  const follow = async () => {
    let text = "";
    for await (const bytes of child.stdout) {
      text += new TextDecoder().decode(bytes);
      const lines = text.split("\n");
      text = lines.pop() as string;
      for (const line of lines) hear(line);
    }
    await child.exited;
    if (isKilled) return;
    child = start();
    await follow();
  };
  const followed = follow();
  return {
    kill: async () => {
      isKilled = true;
      child.kill("SIGKILL");
      await followed;
    },
  };
}

test.skipIf(!hasPostgres)(
  `PostgreSQL killed under three nodes, ${rounds} rounds: nothing acknowledged is lost, nothing is counted twice or beyond a limit`,
  async () => {
    const server = await startPostgres();
    const settings = { url: server.url, connectionsMax: 2 };
    const control = await openPostgresControlStore(settings);
    const accounts = await openAccounts(control, { now });
    const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
    const quota = createQuota(control, { now, ...terms });
    const keys: string[] = [];
    for (const [place, email] of emails.entries()) {
      const own = place === 0 ? { callsPerMonth: smallLimit } : {};
      const account = { email, plan: "enterprise", callsPerDay: "unlimited", ...own } as const;
      keys.push((await accounts.create(account)).key);
    }
    const { hear, compare, totals, violations } = openLedger();
    const start = () => startNode(server.url, keys, hear);
    const nodes = [start(), start(), start()];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const before = totals.counted;
        await until(() => totals.counted - before >= 500);
        await Bun.sleep(random() * 300);
        if (round % 3 === 1) await nodes.shift()?.kill();
        if (round % 3 === 2) await server.halt();
        else await server.kill();
        const { away } = totals;
        await until(() => totals.away > away);
        await server.start();
        if (nodes.length < 3) nodes.push(start());
        expect(violations).toEqual([]);
      }
      const before = totals.counted;
      await until(() => totals.counted > before);
    } finally {
      await Promise.all(nodes.map((node) => node.kill()));
    }
    for (const [place, email] of emails.entries()) {
      const identity = await accounts.authenticate(keys[place] as string);
      const { quota: counted } = await quota.usage({ accountId: identity?.accountId ?? "" });
      compare(email, counted);
      if (place === 0) expect(counted.used).toBeLessThanOrEqual(smallLimit);
    }
    expect(violations).toEqual([]);
    const { counted, refused, unknown } = totals;
    process.stdout.write(
      `${rounds} ends, ${counted} acknowledged, ${unknown} unknown, ${refused} refused\n`,
    );
    await control.close();
    await server.stop();
  },
  600_000,
);
