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
  const token = await lead.tokenOn("/who/review");
  return lead.ask("/who/review", form({ token, act: "review", diff, ...more }));
}

const calls = () => countCalls(roster, email);

describe("a diff that is pasted", () => {
  test("is answered with who should look at it, as one call, and is kept nowhere", async () => {
    const before = await calls();
    const { status, text } = await review(change, { repository });
    expect(status).toBe(200);
    expect(readable(text)).toContain(`${repository}: 1 known file, 1 new or generated`);
    expect(readable(text)).toMatch(/ % active \d+ \w+ 2026(, (low|medium) confidence)? /);
    expect(readable(text)).toContain("services/payments/brand-new.ts new or generated");
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
    expect(text).not.toContain("Hand-over<");
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
      const card = cards[at] ?? "";
      if (!first) {
        expect(card).not.toContain(" Knows ");
        continue;
      }
      const known = files.map(({ path, share }) => {
        return `${path.slice(path.lastIndexOf("/") + 1)} ${formatShare(share)}`;
      });
      const more = evidence.files - files.length;
      longest = Math.max(longest, more);
      const rest = more > 0 ? [`and changed ${more} more`] : [];
      expect(card.replaceAll(" ,", ",")).toContain(` Knows ${[...known, ...rest].join(", ")} `);
    }
    // The test needs somebody who knows more files than are named.
    expect(longest).toBeGreaterThan(0);
  });

  test("is answered first, with each file and who knows it; the form is folded up below", async () => {
    const { text } = await review("services/payments/README.md\nservices/payments/new.ts\n", {
      repository,
    });
    const [answer = "", form = ""] = text.split("Another change");
    expect([answer.includes('name="diff"'), form.includes('name="diff"')]).toEqual([false, true]);
    expect(form).not.toContain("<details open");
    const files = readable(/id="files".*?<\/table>/s.exec(answer)?.[0] ?? "");
    expect(files).toMatch(/services\/payments\/README\.md [^%]+ \d+ %/);
    expect(files).toContain("new or generated: reviewers of its folder");
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
    expectAnswer(wrong, 400, "Active since must be a day as YYYY-MM-DD");
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
  await tab.goto("/who/review");
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
