/** Credit as facts: whose it is, what it does not change, and that it goes with the person. */
import { describe, expect, test } from "bun:test";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { ada, ben, type InventedCommit, openInventor } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";
import { read } from "../read.ts";

const invent = openInventor();
const claude = "Claude <noreply@anthropic.com>";

/** A commit of March 2026 with these lines at its end. */
const commit = (author: string, day: number, ...lines: readonly string[]): InventedCommit => ({
  author,
  at: `2026-03-${String(day).padStart(2, "0")}`,
  message: `Handle case ${day}, because it was wrong\n\nIt failed.\n\n${lines.join("\n")}\n`,
});

describe("credit", () => {
  test("belongs to whoever has the address, by kind, and never for one's own commits", async () => {
    const path = invent([
      commit(ada, 1, `Reviewed-by: ${ben}`, `Signed-off-by: ${ada}`, `Signed-off-by: ${ben}`),
      commit(ada, 3, `reviewed-BY: B. S. <BEN@example.org>`, `Acked-by: ${ben}`),
      commit(ben, 5, `Reviewed-by: ${ben}`, `Tested-by: ${ada}`, `Reported-by: No Body`),
      commit(ben, 6, `Co-authored-by: ${ada}`, `Signed-off-by: ${ada}`, "Reviewed-by: Cy <c@x.io>"),
    ]);
    const { person, people } = await read([path]);
    const once = (day: string) => ({ count: 1, first: day, last: day });
    expect(person("Ben Sample").credits).toEqual({
      reviewed: { count: 2, first: "2026-03-01", last: "2026-03-03" },
      signedOff: once("2026-03-01"),
      acked: once("2026-03-03"),
    });
    expect(person("Ada Example").credits).toEqual({ tested: once("2026-03-05") });
    // Who is known by trailers alone is nobody in the pool.
    expect(people).toHaveLength(2);
  });

  test("follows the mailmap and a forge's account", async () => {
    const path = invent([
      {
        ...commit("Ben Sample <12+ben@users.noreply.github.com>", 1),
        files: { ".mailmap": `${ada} <old@example.net>\n` },
      },
      commit(ada, 2, "Tested-by: Ben <ben@users.noreply.github.com>"),
      commit(ben, 3, "Tested-by: Whoever <old@example.net>"),
    ]);
    const { person } = await read([path]);
    expect(person("Ada Example").credits?.tested?.count).toBe(1);
    expect(person("Ben Sample").credits?.tested?.count).toBe(1);
  });

  test("of a copied commit counts once", async () => {
    const one = commit(ada, 1, `Reviewed-by: ${ben}`);
    const first = invent([one, commit(ben, 2)]);
    const { person } = await read([first, invent([one, commit(ben, 2), commit(ben, 3)])]);
    expect(person("Ben Sample").credits?.reviewed?.count).toBe(1);
  });
});

describe("assisted commits", () => {
  test("are told by agent, month and weight", async () => {
    const path = invent([
      commit(ada, 1, `Co-Authored-By: ${claude}`),
      commit(ada, 2, "Made-with: Cursor", "Assisted-by: Claude Code"),
      commit(
        ada,
        3,
        "🤖 Generated with [Claude Code](https://claude.ai/code)\n",
        `Co-authored-by: ${ben}`,
      ),
      commit(ben, 4),
    ]);
    const { person, people } = await read([path]);
    const assisted = { total: 3, volume: { "2026-03": 2.5 }, agents: { claude: 3, cursor: 1 } };
    expect(person("Ada Example").commits).toMatchObject({ total: 3, coAuthored: 1, assisted });
    expect(person("Ben Sample").commits?.assisted).toEqual({
      ...{ total: 1, volume: { "2026-03": 0.5 }, agents: { claude: 1 } },
    });
    expect(people).toHaveLength(2);
  });

  test("of a day beyond the limit are not hidden by it", async () => {
    const day = Array.from({ length: 8 }, (_, at) => ({
      ...commit(ada, 1, ...(at > 4 ? ["Made-with: Cursor"] : [])),
      at: Date.parse("2026-03-01T00:00:00Z") / 1000 + at,
    }));
    const { person } = await read([invent(day)]);
    expect(person("Ada Example").commits).toMatchObject({ total: 5, assisted: { total: 3 } });
  });

  test("of an agent with a person beside it are the person's, assisted", async () => {
    const copilot = "Copilot <198982749+Copilot@users.noreply.github.com>";
    const { person } = await read([
      invent([commit(copilot, 1, `Co-authored-by: ${ada}`), commit(ada, 2)]),
    ]);
    expect(person("Ada Example").commits?.assisted).toMatchObject({ agents: { copilot: 1 } });
    expect(person("Copilot").commits?.assisted).toBeUndefined();
  });
});

/** What trailers must not change. */
function withoutCredit({ credits: _, commits, ...facts }: Facts): unknown {
  const { assisted: __, ...rest } = commits ?? {};
  return { ...facts, commits: rest };
}

test("trailers move no commit: all else is as without them", async () => {
  const authors = [ada, ben, "Ada Sample <ada@work.example>", ada, "ben <ben@work.example>", ben];
  const trailers = [
    `Reviewed-by: Ada Example <ada@work.example>\nReviewed-by: Ben Sample <ben@work.example>`,
    `Co-Authored-By: ${claude}\nClaude-Session: https://claude.ai/code/session_1`,
    "Signed-off-by: Ada Example <ada@example.com>\nTested-by: Ben Sample <ada@work.example>",
    "Made-with: Cursor",
    "🤖 Generated with [Claude Code](https://claude.com/claude-code)\n\nAssisted-by: Claude:opus",
    "Amp-Thread-ID: https://ampcode.com/threads/T-1\nReported-by: Ada Example <ben@example.org>",
  ];
  const of = (withTrailers: boolean) =>
    authors.map((author, at) => ({
      author,
      at: `2026-03-${10 + at}`,
      message: `${at % 2 ? "Fix" : "Handle"} case ${at}${withTrailers ? `\n\n${trailers[at]}` : ""}\n`,
    }));
  const plain = await read([invent(of(false))]);
  const told = await read([invent(of(true))]);
  expect(told.people.map(withoutCredit)).toEqual(plain.people.map(withoutCredit));
  expect(told.people.some(({ credits }) => credits)).toBe(true);
});

test("thousands of trailers, huge ones and such as are no text are read to a limit", async () => {
  const many = Array.from({ length: 5000 }, (_, at) => `Reviewed-by: R${at} <r${at}@example.com>`);
  const odd = Buffer.concat([
    Buffer.from("Handle it\n\nReviewed-by: "),
    Buffer.from([0xff, 0xfe, 0x1f, 0x80]),
  ]);
  const path = invent([
    commit(ada, 1, ...many, `Reviewed-by: ${ben}`),
    commit(ada, 2, `Reviewed-by: ${"B".repeat(100_000)} <ben@example.org>`),
    { ...commit(ada, 3), message: `${odd.toString("latin1")}\nSigned-off-by: ${ben}\n` },
    commit(ada, 4, `Reviewed-by: ${ben}`),
    commit(ben, 5),
  ]);
  const { person, people } = await read([path]);
  expect(people).toHaveLength(2);
  expect(person("Ada Example").commits?.total).toBe(4);
  expect(person("Ben Sample").credits?.reviewed?.last).toBe("2026-03-04");
});

test("credit is erased with the person, and so is who is known by trailers alone", async () => {
  const { ledger, pool, ingest, person } = openData();
  const path = invent([
    commit(ada, 1, `Reviewed-by: ${ben}`, "Reviewed-by: Strange Person <strange@example.net>"),
    commit(ben, 2),
  ]);
  await ingest([path]);
  const held = () =>
    ledger.sqlite.readColumn<Uint8Array>`
      SELECT content FROM history_people UNION ALL SELECT sense FROM history`
      .map((content) => Bun.zstdDecompressSync(content).toString())
      .join();
  expect(held()).toContain("strange@example.net");
  expect(await pool.erasing.hide("ben@example.org")).toMatchObject({ developers: 1 });
  await pool.erasing.hide("strange@example.net", { evenIfUnknown: true });
  await ingest([path]);
  expect(held()).not.toContain("ben@example.org");
  expect(held()).not.toContain("strange@example.net");
  expect(await pool.size()).toBe(1);
  expect((await person("Ada Example"))?.credits).toBeUndefined();
});
