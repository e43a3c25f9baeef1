/** The box for a diff on the page of who knows: pasted, dropped, refused with a reason, never kept, bounded. */
import { describe, expect, test } from "bun:test";
import { formatShare } from "../../../src/contract/format.ts";
import type { WhoData } from "../../../src/contract/people/who-knows.ts";
import { hasBrowser } from "../../browser.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { openStage } from "./looks.ts";
import { countCalls, expectAnswer, form, invited, readable } from "./person.ts";

const { roster, openAs } = await openStage({
  ...{ now: "2026-11-22T12:00:00Z", people: [], config: { demo: true } },
});
const email = "lead@corp.example";
const lead = await invited(roster, email);

const repository = "demo-guild/onyx-vault";
const change = [
  ...["diff --git a/services/payments/README.md b/services/payments/README.md"],
  ...["--- a/services/payments/README.md", "+++ b/services/payments/README.md", "@@ -1 +1 @@"],
  ...["-one", "+two"],
  ...["diff --git a/services/payments/brand-new.ts b/services/payments/brand-new.ts"],
  ...["new file mode 100644", "--- /dev/null", "+++ b/services/payments/brand-new.ts"],
  ...["@@ -0,0 +1 @@", "+secretword = 1;", ""],
].join("\n");

async function review(diff: string, more: Record<string, string> = {}) {
  const token = await lead.tokenOn("/who");
  return lead.ask("/who", form({ token, act: "review", diff, ...more }));
}

const calls = () => countCalls(roster, email);

describe("a diff that is pasted", () => {
  test("is answered with who should look at it, as one call, and is kept nowhere", async () => {
    const before = await calls();
    const { status, text } = await review(change, { repository });
    expect(status).toBe(200);
    expect(readable(text)).toContain(
      `The change is in ${repository}: 1 known file, and 1 new file, answered by the nearest folder.`,
    );
    expect(readable(text)).toMatch(/confidence (low|medium|high) \(\d+ %\) · active /);
    expect(readable(text)).toContain("New, or made by programs: 1 services/payments/brand-new.ts");
    const asked = await roster.client.ask({
      path: "/v1/who",
      key: (await roster.newAccount("enterprise")).key,
      body: { repository, paths: ["services/payments/README.md"] },
    });
    const [first] = asked.body.data.people;
    const shown = /<li class="person knower".*?<a href="\/developers\/([^"]+)"/s.exec(text)?.[1];
    expect(shown).toBe(first.login);
    expect(await calls()).toBe(before + 1);
    expect(text).not.toContain("secretword");
    expect(roster.log()).not.toContain("secretword");
    expect(text).not.toContain("hand-over<");
  });

  test("says for which of its files each reviewer stands, and how many more they changed", async () => {
    const names = ["client", "handler", "limits", "queries", "retries", "schema", "settings"];
    const paths = names.map((name) => `services/payments/api/${name}.java`);
    const { text } = await review(`${paths.join("\n")}\n`, { repository });
    const { key } = await roster.newAccount("enterprise");
    const asked = await roster.client.ask({ path: "/v1/who", key, body: { repository, paths } });
    const cards = text.split('<li class="person knower"').slice(1).map(readable);
    const { people } = asked.body.data as WhoData;
    expect(cards.length).toBe(people.length);
    let longest = 0;
    for (const [at, { files = [], evidence }] of people.entries()) {
      const [first] = files;
      const said = /Knows (.+?) ?\. /.exec((cards[at] ?? "").replaceAll(".java", ""))?.[1];
      if (!first) {
        expect(said).toBeUndefined();
        continue;
      }
      const known = files.map(
        ({ path, share }) => `${path.replace(".java", "")} ${formatShare(share)}`,
      );
      const more = evidence.files - files.length;
      longest = Math.max(longest, more);
      const rest = more > 0 ? [`and changed ${more} more of these files`] : [];
      expect(said?.replaceAll(" ,", ",")).toBe([...known, ...rest].join(", "));
    }
    // The test needs somebody who knows more files than are named.
    expect(longest).toBeGreaterThan(0);
  });

  test("names neither who is said to have made it, nor who has been quiet since a day", async () => {
    const loginsOf = (text: string) =>
      [...text.matchAll(/<li class="person knower".*?<a href="\/developers\/([^"]+)"/gs)].map(
        ([, login]) => login,
      );
    const all = loginsOf((await review(change, { repository })).text);
    const author = all[0] ?? "";
    const by = (await review(change, { repository, author })).text;
    expect(loginsOf(by)).not.toContain(author);
    expect(readable(by)).toMatch(
      new RegExp(`Author ${author} [^.]*: \\d+ commits? to files here since \\d`),
    );
    const mail = `From: Somebody <${author}@example.com>\n${change}`;
    expect(loginsOf((await review(mail, { repository })).text)).toEqual(all);
    const since = await review(change, { repository, activeSince: "2026-10-21", alike: "best" });
    expect(loginsOf(since.text).length).toBeGreaterThan(0);
    expect(loginsOf(since.text)).not.toEqual(all);
    const wrong = await review(change, { repository, activeSince: "yesterday" });
    expectAnswer(wrong, 400, "Only who was active since must be a day as YYYY-MM-DD");
    expect((await review(change, { repository, alike: "worst" })).status).toBe(400);
  });

  test.each([
    ["no file at all", "just some words", 200],
    ["an empty text", "", 400],
    [
      "five hundred and one files",
      Array.from({ length: 501 }, (_, at) => `f${at}`).join("\n"),
      400,
    ],
    ["a path that is too long", `${"x".repeat(1001)}\n`, 400],
    ["more than a mebibyte", "x\n".repeat(600_000), 400],
  ])("with %s costs no call and says why", async (_, diff, status) => {
    const before = await calls();
    const answer = await review(diff);
    if (status === 400) expect(answer.status).toBe(400);
    expect(answer.status).toBeLessThan(500);
    expect(readable(answer.text)).toContain("That did not work");
    expect(await calls()).toBe(before);
  });

  test("drawn at random, cut and spoilt, never breaks the page", async () => {
    const draw = createRandom(drawSeed("pasted diffs"));
    const pieces = [
      ...["diff --git ", "a/", "b/", "--- ", "+++ ", "@@ -1 +1 @@", "\n", "\0", '"\\303', "é"],
      ...["../", "/dev/null", "rename to ", "\r\n", "x".repeat(300)],
    ];
    for (let round = 0; round < 60; round++) {
      const length = 1 + Math.floor(draw() * 40);
      const diff = Array.from({ length }, () => pieces[Math.floor(draw() * pieces.length)]).join(
        "",
      );
      const { status } = await review(diff);
      expect([diff, status < 500]).toEqual([diff, true]);
    }
  });
});

test.skipIf(!hasBrowser)("a file that is dropped on the box fills it, with a script", async () => {
  const { tab, complaints } = await openAs("drops@corp.example");
  await tab.goto("/who#review");
  await tab.getByText("Who should look at a change").click();
  await tab.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(change)}], "change.diff"));
    const drop = new DragEvent("drop", { dataTransfer, cancelable: true, bubbles: true });
    document.querySelector("[data-drop]").dispatchEvent(drop);
  })()`);
  await tab.waitForFunction('document.querySelector("[data-drop]").value.includes("brand-new.ts")');
  await tab.locator("#review-repository").fill(repository);
  await tab.getByRole("button", { name: "Find reviewers" }).click();
  expect(await tab.locator(".knower").count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});
