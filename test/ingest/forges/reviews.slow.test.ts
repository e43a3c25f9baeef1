/** Reviews that a forge tells: what is read of them, what it costs, whose they are, and how long they stay. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readShippedModel } from "../../../src/analysis/model.ts";
import { readForgeContent } from "../../../src/ingest/forges/forge-content.ts";
import { rankReviewers } from "../../../src/knowledge/rank-reviewers.ts";
import { selectChange } from "../../../src/knowledge/select-change.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";
import {
  type InventedCommit,
  inventRepository,
  temporaryFolder,
} from "../git/invented-repository.ts";
import { listCommits, openForgeData, setOrigin } from "./ingesting.ts";
import { type InventedChange, inventForge } from "./invented-forge.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
let made = 0;

const mail = (login: string) => `${login}@corp.example`;
const nameOf = (login: string) => `${login[0]?.toUpperCase()}${login.slice(1)} Forge`;
const signature = (login: string) => `${nameOf(login)} <${mail(login)}>`;
const logins = ["ada", "ben", "cara", "dora"];
/** Accounts have the numbers from 11. */
const numberOf = (login: string) => 11 + logins.indexOf(login);

/** A forge with a team's repository `team/queue`, of which a clone has these commits. */
function inventTeam(commits: readonly InventedCommit[]) {
  const forge = inventForge();
  forge.accounts.set(10, { login: "team" });
  for (const login of logins) {
    forge.accounts.set(numberOf(login), { login, name: nameOf(login), email: mail(login) });
  }
  forge.repositories.set(1, { owner: 10, name: "queue", stars: 1 });
  const path = inventRepository(join(folder.path, `${made++}`, "queue.git"), commits);
  setOrigin(path, `${forge.url}/team/queue.git`);
  const shas = listCommits(path).map(({ sha }) => sha);
  const data = openForgeData();
  return { forge, path, shas, data, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() };
}

const work: readonly InventedCommit[] = [
  { author: signature("ada"), at: "2026-08-01", files: { "pay/a.ts": "1\n", "doc/b.md": "1\n" } },
  { author: signature("ben"), at: "2026-08-02", files: { "pay/a.ts": "1\n2\n" } },
];

const change = (
  login: string,
  reviews: InventedChange["reviews"],
  more: Partial<InventedChange> = {},
): InventedChange => ({
  ...{ author: numberOf(login), updated: "2026-11-10T10:00:00Z", paths: ["pay/a.ts"], reviews },
  ...more,
});

const by = (login: string, state = "APPROVED", at = "2026-11-09T10:00:00Z") => ({
  ...{ by: numberOf(login), state, at },
});

async function rank({ pool: { authorship } }: { readonly pool: Pool }, path = "pay/a.ts") {
  const [known] = await authorship.repositories();
  const head = await authorship.head(known?.id ?? -1);
  if (!known || !head) throw new Error("nothing is stored");
  const read = (from: number, to: number) => authorship.blocks(known.id, from, to);
  const { files, folders } = await selectChange({ head, read }, [path]);
  const select = (some: typeof files) => ({ repository: known.id, head, files: some });
  const constants = readShippedModel().knowledge;
  const about = { asOfDay: Date.parse("2026-11-21") / 86_400_000, constants };
  const selected = { files: select(files), folders: select(folders) };
  const ranked = rankReviewers(selected, { ...about, excluded: new Set() });
  return new Map(ranked.map((one) => [one.login, one]));
}

describe("reviews of a forge", () => {
  test("name reviewers of the files, on a person and in the score; texts and who asked are nowhere", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    forge.changes.set(1, [
      change("ada", [
        by("cara"),
        by("ben", "APPROVED", "2026-11-08T10:00:00Z"),
        by("ben", "REQUEST_CHANGES"),
        by("dora", "COMMENT"),
      ]),
      change("ben", [by("cara", "APPROVED", "2026-11-10T09:00:00Z"), by("ben")]),
      change("ada", [by("dora")], { state: "closed" }),
      change("ada", [{ ...by("dora"), isDismissed: true }], { state: "open" }),
    ]);
    await data.ingestGit([path]);
    const before = await data.facts("ada");
    expect(before?.commits?.reviews).toBeUndefined();
    expect((await data.ingestFrom(forge.url)).warnings).toEqual([]);
    const day = "2026-11-09";
    expect((await data.facts("cara"))?.credits).toEqual({
      approved: { count: 2, first: day, last: "2026-11-10" },
    });
    const ben = await data.facts("ben");
    const once = { count: 1, first: day, last: day };
    expect(ben?.credits).toEqual({ changesRequested: once });
    // Of a change that somebody reviewed twice, the last word counts.
    expect(ben?.commits?.reviews).toBe(1);
    // It is known that there is none.
    expect((await data.facts("ada"))?.commits?.reviews).toBe(0);
    expect((await data.facts("dora"))?.credits).toBeUndefined();
    const ranked = await rank(data);
    const caras = { files: { reviews: 2, commits: 0 }, recentReviews: 2 };
    expect(ranked.get("cara")).toMatchObject(caras);
    const bens = { files: { reviews: 1, commits: 1 }, recentReviews: 1 };
    expect(ranked.get("ben")).toMatchObject(bens);
    expect(ranked.has("dora")).toBe(false);
    const [known] = await data.pool.authorship.repositories();
    expect(known).toMatchObject({ commits: 2, files: 2 });
    const told = JSON.stringify([readForgeContent(data.forges), await data.exported()]);
    expect(told).toContain("pay/a.ts");
    expect(told).not.toContain("secret");
  });

  test("are read once: a walk without anything new asks one question for each repository", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    // Pages of three.
    const days = Array.from({ length: 7 }, (_, at) => `2026-10-0${at + 1}T10:00:00Z`);
    const changes = days.map((updated) =>
      change("ada", [by("cara", "APPROVED", updated)], { updated }),
    );
    // Before the horizon of a year.
    changes.push(change("ada", [by("cara")], { updated: "2025-11-01T00:00:00Z" }));
    forge.changes.set(1, changes);
    await data.ingestGit([path]);
    const countAsked = async () => {
      const from = forge.asked.length;
      await data.ingestFrom(forge.url);
      const asked = forge.asked.slice(from).map(({ url }) => new URL(url).pathname);
      return asked.filter((each) => each.includes("/pulls")).length;
    };
    // Three pages; the reviews and the files of seven.
    expect(await countAsked()).toBe(3 + 7 * 2);
    const text = await data.exported();
    expect(await countAsked()).toBe(1);
    expect(await data.exported()).toBe(text);
    // A review brings its change to the top.
    changes[0] = change("ada", [by("cara"), by("dora")], { updated: "2026-11-11T10:00:00Z" });
    expect(await countAsked()).toBe(1 + 2);
    expect((await data.facts("dora"))?.credits?.approved?.count).toBe(1);
    // Closed without a merge, it was never reviewed.
    changes[0] = { ...changes[0], state: "closed", updated: "2026-11-12T10:00:00Z" };
    expect(await countAsked()).toBe(1);
    expect((await data.facts("dora"))?.credits).toBeUndefined();
    expect((await data.facts("cara"))?.credits?.approved?.count).toBe(6);
  });

  test("are known of everybody in a repository once somebody reviews there", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    forge.changes.set(1, [change("ada", [])]);
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    expect((await data.facts("ben"))?.commits?.reviews).toBeUndefined();
    forge.changes.set(1, [change("ada", [by("cara")], { updated: "2026-11-11T10:00:00Z" })]);
    await data.ingestFrom(forge.url);
    expect((await data.facts("ben"))?.commits?.reviews).toBe(0);
  });

  test.skipIf(!hasPostgres)("enter a pool in PostgreSQL as one in SQLite", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    forge.changes.set(1, [change("ada", [by("cara"), by("dora", "REQUEST_CHANGES")])]);
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    const now = () => new Date("2026-11-21T12:00:00Z");
    const pool = await openPostgresPool({ url: await newDatabase(), connectionsMax: 4 }, { now });
    try {
      const other = openForgeData();
      await other.ingest([path], { files: other.openFiles(), pool });
      await other.ingestFrom(forge.url, { pool });
      expect([...(await rank({ pool }))]).toEqual([...(await rank(data))]);
      const [dora] = await pool.findFacts(["dora"]);
      expect(dora?.credits?.changesRequested?.count).toBe(1);
    } finally {
      await pool.close();
    }
  });

  test("go on where a walk was cut off, and end at a thousand changes of a repository", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    const updated = (at: number) => new Date(Date.parse("2026-11-10") - at * 60_000).toISOString();
    const changes = Array.from({ length: 1005 }, (_, at) =>
      change("ada", at < 9 ? [by("cara")] : [], { updated: updated(at) }),
    );
    forge.changes.set(1, changes);
    await data.ingestGit([path]);
    let pages = 0;
    forge.before = (path) => {
      const isThird = path.endsWith("/pulls") && ++pages === 3;
      return isThird ? new Response("", { status: 401 }) : undefined;
    };
    await expect(data.ingestFrom(forge.url)).rejects.toThrow("was refused (401)");
    expect((await data.facts("cara"))?.credits).toBeUndefined();
    const from = forge.asked.length;
    const { warnings } = await data.ingestFrom(forge.url);
    const asked = forge.asked.slice(from).map(({ url }) => new URL(url));
    const [first] = asked.filter(({ pathname }) => pathname.endsWith("/pulls"));
    expect(first?.searchParams.get("page")).toBe("3");
    expect(warnings.join()).toContain("Only the latest 1000 changes of team/queue are read");
    expect((await data.facts("cara"))?.credits?.approved?.count).toBe(9);
  });

  test("count once when a trailer tells them too, and at the present place of a moved file", async () => {
    const moved: readonly InventedCommit[] = [
      ...work,
      {
        author: signature("ada"),
        at: "2026-08-03",
        message: `Pay twice\n\nReviewed-by: ${signature("cara")}\n`,
        files: { "pay/a.ts": "1\n2\n3\n" },
      },
      { author: signature("ada"), at: "2026-08-04", rename: ["pay/a.ts", "pay/c.ts"] },
    ];
    await using team = inventTeam(moved);
    const { forge, path, shas, data } = team;
    const [, trailed = ""] = shas;
    forge.accounts.set(numberOf("cara"), { login: "cara", email: mail("cara") });
    const reviews = [by("cara", "APPROVED", "2026-08-03T00:00:00Z"), by("dora")];
    forge.changes.set(1, [
      change("ada", reviews, { commits: ["f".repeat(40), trailed] }),
      change("ada", [by("cara")], { commits: [shas[0] ?? ""] }),
    ]);
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    const ranked = await rank(data, "pay/c.ts");
    expect(ranked.get("dora")).toMatchObject({ files: { reviews: 1 } });
    // The trailer's, and that of the other change.
    expect(ranked.get("cara")).toMatchObject({ files: { reviews: 2 }, recentReviews: 1 });
    expect((await data.facts("cara"))?.credits).toMatchObject({
      ...{ reviewed: { count: 1 }, approved: { count: 2 } },
    });
  });

  test("follow a person who is joined, and are those of people of the source alone", async () => {
    const other = "Cy Home <cy@home.example>";
    const more = { author: other, at: "2026-08-05", files: { "pay/a.ts": "5\n" } };
    await using team = inventTeam([...work, more]);
    const { forge, path, data } = team;
    forge.accounts.set(numberOf("dora"), { login: "dora", visibility: "limited" });
    forge.changes.set(1, [change("ben", [by("cara"), by("dora"), { ...by("cara"), by: 99 }])]);
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    expect(readForgeContent(data.forges).reviews.map(({ reviewer }) => reviewer)).toEqual([
      String(numberOf("cara")),
    ]);
    expect((await rank(data)).get("cara")?.files).toEqual({ reviews: 1, commits: 0 });
    const together = { kind: "same", a: mail("cara"), b: "cy@home.example" } as const;
    const decision = await data.pool.decisions.add({ ...together, by: "test", evidence: [] });
    await data.ingestGit([]);
    expect((await rank(data)).get("cara")?.files).toEqual({ reviews: 1, commits: 1 });
    const facts = await data.facts("cara");
    expect([facts?.credits?.approved?.count, facts?.commits?.reviews]).toEqual([1, 1]);
    await data.pool.decisions.undo(decision.id);
    await data.ingestGit([]);
    expect((await rank(data)).get("cara")?.files).toEqual({ reviews: 1, commits: 0 });
  });

  test("bear the login by which a reviewer without work there is called since", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    const elsewhere = inventRepository(join(folder.path, `${made++}`, "other.git"), [
      { author: "Quill <1+quill@users.noreply.github.com>", at: "2026-08-05", files: { a: "1\n" } },
    ]);
    forge.changes.set(1, [change("ada", [by("cara")])]);
    await data.ingestGit([path, elsewhere]);
    await data.ingestFrom(forge.url);
    const reviewer = async () => {
      const known = await data.pool.authorship.repositories();
      const queue = known.find(({ name }) => name === "team/queue");
      return (await data.pool.authorship.logins(queue?.id ?? -1))?.at(-1);
    };
    expect(await reviewer()).toBe("cara");
    const together = { a: mail("cara"), b: "1+quill@users.noreply.github.com" };
    const decision = await data.pool.decisions.add({
      ...{ kind: "same", ...together, by: "test", evidence: [] },
    });
    await data.ingestGit([]);
    expect(await reviewer()).toBe("quill");
    await data.pool.decisions.undo(decision.id);
    await data.ingestGit([]);
    expect(await reviewer()).toBe("cara");
  });

  test("are read anew for other selections, and leave with a repository that is private now", async () => {
    await using team = inventTeam(work);
    const { forge, path, data } = team;
    forge.changes.set(1, [change("ada", [by("cara")])]);
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    expect(readForgeContent(data.forges).reviews).toHaveLength(1);
    const from = forge.asked.length;
    await data.ingestFrom(forge.url, { selections: [{ kind: "org", name: "acme" }] });
    const asked = forge.asked.slice(from).filter(({ url }) => url.includes("/pulls"));
    expect(asked).toHaveLength(3);
    forge.repositories.set(1, { owner: 10, name: "queue", stars: 1, isPrivate: true });
    await data.ingestFrom(forge.url);
    expect(readForgeContent(data.forges).reviews).toEqual([]);
    expect((await data.facts("cara"))?.credits).toBeUndefined();
    expect((await rank(data)).has("cara")).toBe(false);
  });
});
