/** What stands where on the page of who knows: the question, its answer, the plan by successor, the scales of the tree. */
import { describe, expect, test } from "bun:test";
import type { WhoData } from "../../../src/contract/people/who-knows.ts";
import { hasBrowser } from "../../browser.ts";
import { openStage } from "./looks.ts";
import { form, invited, readable } from "./person.ts";

const { roster, openAs } = await openStage({
  ...{ now: "2026-11-22T12:00:00Z", people: [], config: { demo: true } },
});
const lead = await invited(roster, "lead@corp.example");
const { key } = await roster.newAccount("enterprise", { callsPerDay: "unlimited" });

const repository = "demo-guild/onyx-vault";
const asked = `/who?repository=${encodeURIComponent(repository)}`;

async function ask(body: object): Promise<WhoData> {
  const reply = await roster.client.ask({ path: "/v1/who", key, body: { repository, ...body } });
  return reply.body.data;
}

describe("the form", () => {
  test.each([
    ["", false],
    ["?repository=demo-guild/onyx-vault&path=docs", false],
    ["?package=npm:react", true],
    [`?repository=demo-guild/onyx-vault&asOf=2025-06-30`, true],
    [`?repository=demo-guild/onyx-vault&asOf=2025-02-31`, true],
    [`?repository=demo-guild/onyx-vault&without=valentina-vientonuevo-example`, true],
  ])(
    "asks for a repository and a path; the others are folded up unless one is filled in: %p",
    async (query, isOpen) => {
      const { text } = await lead.open(`/who${query}`);
      const question = /<form [^>]*who-form.*?<\/form>/s.exec(text)?.[0] ?? "";
      const [first = "", more = ""] = question.split("<details");
      expect([...first.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).toEqual([
        ...["repository", "path"],
      ]);
      expect([...more.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).toEqual([
        ...["package", "asOf", "without"],
      ]);
      expect(/^[^>]*\bopen\b/.test(more)).toBe(isOpen);
    },
  );
});

test("the box for a change stands above the repositories, and below an answer", async () => {
  const box = '<details class="card change-form"';
  const home = (await lead.open("/who")).text;
  expect(home.indexOf(box)).toBeLessThan(home.indexOf('id="known"'));
  const answer = (await lead.open(asked)).text;
  expect(answer.indexOf(box)).toBeGreaterThan(answer.indexOf('id="below"'));
  const token = await lead.tokenOn("/who");
  const diff = "services/payments/README.md\n";
  const sent = { token, act: "review", diff, repository };
  const review = (await lead.ask("/who", form(sent))).text;
  expect(review.indexOf('id="reviewers"')).toBeGreaterThan(0);
  expect(review.indexOf(box)).toBeGreaterThan(review.indexOf('id="reviewers"'));
  for (const text of [home, answer, review]) expect(text.split(box).length).toBe(2);
});

test("each part that the page names at its top is there", async () => {
  const { text } = await lead.open(`${asked}&without=valentina-vientonuevo-example`);
  const contents = /<nav class="contents small".*?<\/nav>/s.exec(text)?.[0] ?? "";
  const named = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(named).toEqual(["knowers", "below", "review"]);
  for (const id of named) expect(text.split(` id="${id}"`).length).toBe(2);
});

describe("a hand-over by successor", () => {
  test("is the sum of its folders, counted by hand", async () => {
    const { people } = await ask({ limit: 20 });
    const logins = people.map(({ login }) => login);
    for (const without of [logins.slice(0, 1), logins.slice(2, 5), logins.slice(0, 20)]) {
      const { handover } = await ask({ without });
      if (!handover || handover.folders.length === 200) throw new Error("all folders are needed");
      const expected = new Map<string, [folders: number, files: number, lost: number]>();
      for (const folder of handover.folders) {
        const login = folder.next[0]?.login ?? "nobody";
        const sum = expected.get(login) ?? [0, 0, 0];
        expected.set(login, sum);
        sum[0] += 1;
        sum[1] += folder.known;
        sum[2] += folder.lost;
      }
      const { text } = await lead.open(`${asked}&without=${without.join(",")}`);
      const rows = listRows(/<table class="[^"]*successors.*?<\/table>/s.exec(text)?.[0] ?? "");
      const shown = rows.map(([row, ...figures]): [string, number[]] => {
        const [, login] = /href="\/developers\/([^"]+)"/.exec(row) ?? [];
        const numbers = figures.map((cell) => Number(/[\d,]+/.exec(readable(cell))?.[0]));
        return [login ?? readable(row).trim(), numbers];
      });
      expect(shown.length).toBe(expected.size);
      expect(new Map(shown)).toEqual(expected as never);
      const sumAll = (at: number) => shown.reduce((sum, [, one]) => sum + (one[at] ?? 0), 0);
      expect([sumAll(0), sumAll(1), sumAll(2)]).toEqual([
        ...[handover.folders.length, handover.files, handover.lost],
      ]);
      // Folders without anybody stand first, then whoever takes over most files.
      const order = shown.map(([login, [, files = 0]]) => (login === "nobody" ? 1e9 : files));
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }
  });
});

/** The cells of each row of a table's body, as they are written. */
function listRows(table: string): [string, ...string[]][] {
  const body = table.slice(table.indexOf("<tbody>"));
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(
    ([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell) as [string],
  );
}

test("bars of folders fit their level and say so, and those of files are of all that is known", async () => {
  const { text } = await lead.open(`${asked}&open=services/payments`);
  const rows = listRows(/<table class="tree.*?<\/table>/s.exec(text)?.[0] ?? "").map((cells) => {
    const [name, , , knowers = ""] = cells;
    const bar = [...knowers.matchAll(/ x="([\d.]+)%" width="([\d.]+)%"/g)].at(-1);
    // Each part is 1 % shorter, for the gap to the next.
    const length = Number(bar?.[1]) + Number(bar?.[2]) + 1;
    const [people = "", scale] = readable(knowers).split(" Of the folders in it a full bar is ");
    const shares = [...people.matchAll(/(?<!< )\b(\d+) %/g)].map(([, share]) => Number(share));
    // Before the name stands the arrow, with an address of its own.
    const address = [...name.matchAll(/href="\/who\?([^"]+)"/g)].at(-1)?.[1] ?? "";
    const path = new URLSearchParams(address.replaceAll("&amp;", "&")).get("path") ?? "";
    const above = path.split("/").slice(0, -1).join("/");
    const known = shares.reduce((sum, share) => sum + share, 0);
    const isFolder = /aria-expanded/.test(name);
    return { path, above, isFolder, length, known, scale };
  });
  const levels = Map.groupBy(rows, ({ above }) => above);
  expect([...levels.keys()]).toEqual(["", "services", "services/payments"]);
  const isNear = (a: number, b: number) => Math.abs(a - b) < 3.5;
  for (const [above, level] of levels) {
    const folders = level.filter(({ isFolder }) => isFolder);
    const fullest = Math.max(...folders.map(({ known }) => known));
    expect([above, Math.max(...folders.map(({ length }) => Math.round(length)))]).toEqual([
      ...([above, 100] as const),
    ]);
    for (const { path, known, length } of folders) {
      expect([path, isNear(length, (100 * known) / fullest)]).toEqual([path, true]);
    }
    const said =
      above === ""
        ? /and (\d+) % for a folder here/.exec(readable(text))?.[1]
        : rows.find(({ path }) => path === above)?.scale;
    expect([above, isNear(Number.parseInt(said ?? "", 10), fullest)]).toEqual([above, true]);
    for (const { path, isFolder, known, length } of level) {
      if (!isFolder) expect([path, isNear(length, known)]).toEqual([path, true]);
    }
  }
});

describe.skipIf(!hasBrowser)("in a browser without a script", () => {
  test("a phone reaches the folders soon, and a wide screen shows everybody", async () => {
    const options = { javaScriptEnabled: false };
    const { tab, complaints } = await openAs("phone@corp.example", options);
    await tab.setViewportSize({ width: 360, height: 780 });
    await tab.goto(asked);
    const knowers = tab.locator(".knower");
    const others = tab.getByText("7 more", { exact: true });
    expect(await knowers.count()).toBe(10);
    const countShown = async () => {
      const shown = await Promise.all((await knowers.all()).map((one) => one.isVisible()));
      return shown.filter(Boolean).length;
    };
    expect([await countShown(), await others.isVisible()]).toEqual([3, true]);
    const below = tab.getByRole("heading", { name: "Folders and files" });
    expect((await below.boundingBox())?.y).toBeLessThan(3 * 780);
    await others.click();
    expect(await countShown()).toBe(10);
    await tab.getByRole("link", { name: "Folders and files" }).click();
    expect((await below.boundingBox())?.y).toBeLessThan(780);
    await others.click();
    await tab.setViewportSize({ width: 1440, height: 900 });
    expect([await countShown(), await others.isVisible()]).toEqual([10, false]);
    expect(complaints).toEqual([]);
  });
});
