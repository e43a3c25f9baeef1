/** The words for authors of a change, as a page has them. */
import { expect, test } from "bun:test";
import type { ChangeAuthor } from "../../src/contract/people/who-knows.ts";
import { listAuthorSentences } from "../../src/operations/author-sentence.ts";

const asOf = "2026-11-28";
const say = (...authors: ChangeAuthor[]) => listAuthorSentences({ authors, asOf });
const known: ChangeAuthor = {
  ...{ given: "ada@example.com", standing: "known", login: "ada", name: "Ada Example" },
  ...{ commits: 12, assisted: 2, reviews: 1, first: "2024-05-01" },
  folders: [
    { path: "src/core", share: 0.454 },
    { path: "", share: 0.12 },
  ],
};

test("who is known is told with work, folders and marks, and without a score", () => {
  expect(say(known)).toEqual([
    "Author ada Ada Example: 12 commits to files here and 1 review since 1 May 2024. " +
      "Knows best src/core 45 %, the top folder 12 %. 2 commits marked as written with an AI assistant.",
  ]);
  const quiet = { ...known, commits: 0, reviews: 1, assisted: 0, folders: [], isByName: true };
  expect(say(quiet)).toEqual([
    "Author ada Ada Example: 1 review, on 1 May 2024. Found by the name alone.",
  ]);
  const { first, ...uncounted } = { ...quiet, reviews: 0 };
  expect(say(uncounted)[0]).toContain(
    ": named in the history, with no commit or review that counts.",
  );
});

test("who is new is called so, also if only what they began lately was read", () => {
  const given = "Nia New <nia@example.com>";
  expect(say({ given, standing: "new" })).toEqual([
    "Author Nia New is new here: this is their first change. Welcome.",
  ]);
  const begun = { ...known, first: "2026-11-01", commits: 1, reviews: 0, assisted: 0, folders: [] };
  expect(say(begun)).toEqual([
    "Author ada Ada Example is new: 1 commit to files here, on 1 Nov 2026.",
  ]);
  expect(say({ ...begun, first: "2026-10-01" })[0]).not.toContain("new");
  const cut = listAuthorSentences({ authors: [begun], asOf, historyStart: "2026-10-30" });
  expect(cut).toEqual([
    "Author ada Ada Example: 1 commit to files here, on 1 Nov 2026.",
    "Data begins on 30 Oct 2026; earlier work may exist.",
  ]);
});

test("of who is not known, and of programs, no more is told, and no address", () => {
  const told = say(
    { given: "Nia New <nia@example.com>", standing: "unknown" },
    { given: "nia@example.com", standing: "unknown" },
    { given: "<nia@example.com>", standing: "unknown" },
    { given: "renovate[bot] <1+renovate[bot]@users.noreply.github.com>", standing: "bot" },
    { given: "claude@example.com", standing: "assistant", login: "claude" },
  );
  expect(told).toEqual([
    "Author Nia New is not known here. This may be their first change.",
    "Author without a name is not known here. This may be their first change.",
    "Author without a name is not known here. This may be their first change.",
    "Author renovate[bot] is a bot.",
    "Author claude is an AI assistant.",
  ]);
});

test("an account that is not known is told only where nobody else is, and five authors at most", () => {
  const account: ChangeAuthor = { given: "git.example.com/nia", standing: "unknown" };
  expect(say(account, known)).toHaveLength(1);
  expect(say(account)[0]).toStartWith("Author git.example.com/nia is not known here.");
  expect(say(...Array.from({ length: 7 }, () => known)).slice(4)).toEqual([
    expect.stringContaining("ada"),
    "Authors: 2 more.",
  ]);
  expect(say()).toEqual([]);
});
