/** The page of who knows: the form, the answer, the figures and tables of a hand-over, the bars of the tree. */
import { describe, expect, test } from "bun:test";
import type { WhoData } from "../../../src/contract/people/who-knows.ts";
import { listSuccessors } from "../../../src/operations/handover-plan.ts";
import { hasBrowser } from "../../browser.ts";
import { openStage } from "./looks.ts";
import { invited, readable } from "./person.ts";

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

test("the form is open at first, and behind a button above an answer", async () => {
  const popup = '<details class="popup who-question">';
  const home = (await lead.open("/who")).text;
  expect([home.includes(popup), home.indexOf("who-form") < home.indexOf('id="known"')]).toEqual([
    ...[false, true],
  ]);
  expect((await lead.open(asked)).text).toContain(popup);
  // A refused question is to be changed.
  const slip = (await lead.open(`${asked}&path=servces`)).text;
  expect([slip.includes(popup), slip.includes("who-form")]).toEqual([false, true]);
});

test("each repository is listed with the people who know it best", async () => {
  const { text } = await lead.open("/who");
  const rows = listRows(/<table class="tree.*?<\/table>/s.exec(text)?.[0] ?? "");
  const row = rows.find(([name]) => readable(name).includes(repository));
  const { people } = await ask({ limit: 3 });
  const logins = [...(row?.at(-1) ?? "").matchAll(/href="\/developers\/([^"]+)"/g)];
  expect(logins.map(([, login]) => login)).toEqual(people.map(({ login }) => login));
});

test("a single file has no truck factor", async () => {
  const file = readable((await lead.open(`${asked}&path=services/payments/README.md`)).text);
  expect(file).not.toContain("truck factor");
  expect(file).toMatch(/active people \d in the last year, of \d/);
  expect(readable((await lead.open(asked)).text)).toContain("truck factor");
});

test("people can be listed by their last activity", async () => {
  const { text } = await lead.open(`${asked.replace("/who?", "/who/people?")}&order=active`);
  const rows = listRows(/<table class="everybody.*?<\/table>/s.exec(text)?.[0] ?? "");
  const days = rows.map((cells) => Date.parse(`${readable(cells.at(-1) ?? "")} UTC`));
  expect(days.length).toBeGreaterThan(50);
  expect(days).toEqual(days.toSorted((a, b) => b - a));
});

describe("a hand-over", () => {
  test("has the figures, the folders and the next people of the answer", async () => {
    const { people } = await ask({ limit: 20 });
    const logins = people.map(({ login }) => login);
    for (const without of [logins.slice(0, 1), logins.slice(2, 5), logins.slice(0, 20)]) {
      const { handover } = await ask({ without });
      if (!handover || handover.folders.length === 200) throw new Error("all folders are needed");
      const { files, lost, folders } = handover;
      const { text } = await lead.open(`${asked}&without=${without.join(",")}`);
      const page = readable(text);
      expect(page).toContain(`files only they know ${lost} of ${files} they know`);
      const alone = folders.filter(({ next }) => next.length === 0).length;
      expect(page).toContain(`folders without a successor ${alone} of ${folders.length} `);
      const rows = listRows(
        /aria-label="Folders to hand over">.*?<\/table>/s.exec(text)?.[0] ?? "",
      );
      expect(rows.map(([, ...cells]) => cells.slice(0, 3).map((cell) => Number(cell)))).toEqual(
        folders.map((one) => [one.files, one.known, one.lost]),
      );
      const named = /<ol class="successors">.*?<\/ol>/s.exec(text)?.[0] ?? "";
      const next = [...named.matchAll(/href="\/developers\/([^"]+)"/g)].map(([, login]) => login);
      expect(next).toEqual(
        listSuccessors(folders)
          .flatMap(({ login }) => login ?? [])
          .slice(0, 4),
      );
    }
  });

  test("of people alone is over all repositories, with a table of them", async () => {
    const login = "qi-wulin-wu-example";
    const { text } = await lead.open(`/who?without=${login}`);
    const page = readable(text);
    expect(page).toContain("Hand-over: Qi Wulin-Wu, all repositories");
    const rows = listRows(
      /aria-label="Repositories to hand over">.*?<\/table>/s.exec(text)?.[0] ?? "",
    );
    const names = rows.map(([name]) => readable(name).trim());
    expect(names.length).toBeGreaterThan(2);
    expect(page).toContain(`${names.length} repositories: `);
    for (const [at, name] of names.entries()) {
      const { handover } = await ask({ repository: name, without: [login] });
      expect([name, Number(rows[at]?.[1])]).toEqual([name, handover?.files ?? 0]);
      expect(text).toContain(`/who?repository=${encodeURIComponent(name)}&amp;without=${login}`);
    }
  });

  test("has a title of its own, and says when there is nothing to hand over", async () => {
    const { text } = await lead.open(`${asked}&path=docs&without=ada-example`);
    expect(readable(text)).toContain("Hand-over: Ada Example, demo-guild/onyx-vault/docs");
    expect(readable(text)).toContain("Nothing to hand over.");
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

test("bars have a part for each person, as long as their share of 100 %", async () => {
  const { text } = await lead.open(`${asked}&open=services/payments`);
  const rows = listRows(/<table class="tree.*?<\/table>/s.exec(text)?.[0] ?? "");
  expect(rows.length).toBeGreaterThan(10);
  for (const cells of rows) {
    const knowers = cells.at(-1) ?? "";
    const parts = [...knowers.matchAll(/<rect x="([\d.]+)%" width="([\d.]+)%"/g)];
    const shares = [...readable(knowers).matchAll(/(?<!< )\b(\d+) %/g)];
    expect(parts.length).toBe(shares.length);
    for (const [at, [, share]] of shares.entries()) {
      // Each part is 0.3 % shorter, for the gap to the next.
      expect(Math.abs(Number(parts[at]?.[2]) + 0.3 - Number(share))).toBeLessThan(0.52);
    }
    const colors = [...knowers.matchAll(/<rect[^>]*fill="([^"]+)"/g)].map(([, color]) => color);
    const dots = [...knowers.matchAll(/<circle[^>]*fill="([^"]+)"/g)].map(([, color]) => color);
    expect(dots).toEqual(colors);
  }
});

describe.skipIf(!hasBrowser)("in a browser without a script", () => {
  test("a phone reaches the folders soon, and a wide screen shows everybody", async () => {
    const options = { javaScriptEnabled: false };
    const { tab, complaints } = await openAs("phone@corp.example", options);
    await tab.setViewportSize({ width: 360, height: 780 });
    await tab.goto(asked);
    const knowers = tab.locator(".knower");
    const countShown = async () => {
      const shown = await Promise.all((await knowers.all()).map((one) => one.isVisible()));
      return shown.filter(Boolean).length;
    };
    expect([await knowers.count(), await countShown()]).toEqual([10, 4]);
    const below = tab.getByRole("heading", { name: "Folders and files" });
    expect((await below.boundingBox())?.y).toBeLessThan(3 * 780);
    await tab.setViewportSize({ width: 1440, height: 900 });
    expect(await countShown()).toBe(10);
    expect(complaints).toEqual([]);
  });
});
