import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  assessMessage,
  isRevert,
  toSubjectTemplate,
} from "../../../../src/ingest/git/read/assess-message.ts";

test("the semantic form", () => {
  for (const text of [
    "feat: add",
    "fix(parser)!: handle tabs",
    "chore(): x",
    "revert: feat: a\n\nb",
  ])
    expect([text, assessMessage(text).semantic]).toEqual([text, true]);
  const others =
    "feat:add|feat : add|Feat: add|feature: add|feat(a(b)): add|feat:  | feat: add|wip\nfeat: add|";
  for (const text of others.split("|"))
    expect([text, assessMessage(text).semantic]).toEqual([text, false]);
});

test("a good message says why, refers to something or has a body, in four words or more", () => {
  for (const [message, how] of [
    ["Drop the cache because it grows", "withReason"],
    ["Handle tabs properly (#12)", "withReference"],
    ["Handle tabs\r\n\r\nThey were read as one column.", "withBody"],
    ["Handle all tabs\n\nThese three words", "withBody"],
  ] as const) {
    expect(assessMessage(message)).toMatchObject({ good: true, [how]: true });
  }
  // One word below the bound.
  expect(assessMessage("Handle all tabs\n\nTwo words").withBody).toBe(false);
});

/** By what is judged: good messages, and others. */
const verdicts: Readonly<Record<string, readonly [good: string, others: string]>> = {
  "a change of a kind that explains itself": [
    "Bump version|Fix spelling|Add tests for tabs|Update README",
    "Update|Update the parser and tests|Tabs #1|Drop because slow",
  ],
  "a subject with an area or type, whose other words are specific": [
    "net: fix leak of buffers on error path|lib/pty: Make child a session leader|" +
      "[vim] Close window when hidden|feat(db)!: keep prepared statements|fdisk: add write_table()|" +
      "ci: fix jobs\n\nThe image was removed.",
    "docs: update README|docs: update guide/first_steps.md (#12)|chore: update the file|fix: fix|ci: fix jobs",
  ],
  "a message that says more than what was wrong": [
    "Fix tabs in wide columns (#12)\n\nSkip what stands before the first one.|" +
      "Fix tabs: handle wide columns (#12)|Drop it because slow",
    "Fix tabs in wide columns (#12)|Tabs do not work in wide columns (#12)",
  ],
};

test.each(Object.entries(verdicts))("%s is good", (_, [good, others]) => {
  for (const text of good.split("|"))
    expect([text, assessMessage(text).good]).toEqual([text, true]);
  for (const text of others.split("|"))
    expect([text, assessMessage(text).good]).toEqual([text, false]);
});

const labelled = join(import.meta.dir, "../../../../../shared/data/commit-messages-dev.jsonl");

test.skipIf(!existsSync(labelled))(
  "published labels agree with the rule (skipped where the labelled set is absent)",
  () => {
    const wrong: [number, number] = [0, 0];
    const right: [number, number] = [0, 0];
    for (const line of readFileSync(labelled, "utf8").trim().split("\n")) {
      const { label, message } = JSON.parse(line) as { label: string; message: string };
      const isGood = label === "why_and_what";
      (assessMessage(message).good === isGood ? right : wrong)[isGood ? 1 : 0] += 1;
    }
    const [[kept, found], [falselyGood, missed]] = [right, wrong];
    const sizes = [found + falselyGood, found + missed, kept + falselyGood, kept + missed];
    const matthews =
      (found * kept - falselyGood * missed) /
      Math.sqrt(sizes.reduce((product, one) => product * one));
    expect(matthews).toBeGreaterThan(0.5415);
  },
);

test("trailers and what conversions append are no body", () => {
  const message =
    "Handle all tabs\n\nSigned-off-by: Ada <ada@example.com>\ngit-svn-id: https://x@1";
  expect(assessMessage(message).withBody).toBe(false);
});

test("any text is judged without a fault", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (text) => typeof assessMessage(text).good === "boolean",
    ),
  );
});

test("reverts are told by git's wording and by the conventional type", () => {
  expect(isRevert('Revert "Add"\n\nThis reverts commit 0123456.')).toBe(true);
  expect(isRevert("revert(core): add")).toBe(true);
  expect(isRevert("Undo\n\nThis reverts commit 0123456789abcdef.")).toBe(true);
  expect(isRevert("Explain how to revert a change")).toBe(false);
});

test("automatic messages have one template", () => {
  const templates = ["Bump lodash from 4.1.0 to 4.2.1", "Bump @scope/x from 1.0 to 2.0"].map(
    toSubjectTemplate,
  );
  expect(new Set(templates).size).toBe(1);
});

describe("messages that tools write are not judged", () => {
  test.each([
    "Translated using Weblate (German)\n\nCurrently translated at 100.0% (12 of 12 strings)\n\nTranslation: a/b",
    "Translate app/messages.po in pt_BR",
    "New translations messages.json (French)",
    "New Crowdin updates (#12)",
    "Pontoon/Tool: Update German (de)\n\nCo-authored-by: Somebody",
    "[ci skip] Translation update",
    "Bump lodash from 4.17.20 to 4.17.21",
    "build(deps): bump the golang group with 3 updates\n\nBumps the golang group with 3 updates.",
    "chore(deps): update dependency eslint to v9 (#12)",
    "Update typescript-eslint monorepo to v8 (#12)",
    "Update actions/checkout action to v4",
    "Lock file maintenance (#12)",
    "[pre-commit.ci] pre-commit autoupdate",
    "[maven-release-plugin] prepare release v1.2",
    "1.2.3",
    "v2.0.0-rc.1",
    "chore(release): 1.2.3 [skip ci]",
    "Bump version: 1.2 → 1.3",
    "Update README.md",
    "Update docs/guide.md (#7)",
    "Create index.html",
    "Add files via upload",
    "Apply suggestions from code review\n\nCo-authored-by: Somebody <a@example.com>",
    "Merge pull request #3 from a/b\n\nAdd a thing because it was missing",
    "Backport PR #12: Handle tabs properly",
    "fixup! Handle tabs",
    "Initial commit",
  ])("%s", (message) => {
    expect(assessMessage(message).isToolWritten).toBe(true);
  });

  test.each([
    "Update README.md\n\nThe old link was broken.",
    "Update the parser because it was slow",
    "Bump the limit from habit to need",
    "Merge both tables into one",
    "Create a table for tokens",
    "Add files to the index",
    "Release 1.2 with the new parser",
    "Translate errors into exit codes",
  ])("but people wrote: %s", (message) => {
    expect(assessMessage(message).isToolWritten).toBe(false);
  });
});
