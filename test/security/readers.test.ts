/**
 * Whatever reads text that others wrote ends on a long text of the worst that its expressions and loops know. A reader
 * that takes the square of it would still be busy when the test's time is over.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { findNearest } from "../../src/contract/complaint.ts";
import {
  cleanForComment,
  cleanForModel,
  quoteForModel,
  toPrintable,
  toPrintableJson,
} from "../../src/contract/foreign-text.ts";
import { parseNoreplyAddress } from "../../src/identity/address.ts";
import { deriveLogin } from "../../src/identity/derived-login.ts";
import { parseSelector } from "../../src/identity/selector.ts";
import { findManifest } from "../../src/ingest/git/evidence/kinds.ts";
import {
  assessMessage,
  getSubject,
  isRevert,
  toSubjectTemplate,
} from "../../src/ingest/git/read/assess-message.ts";
import { openLinguist } from "../../src/ingest/linguist/linguist.ts";
import { deriveOriginFromPath, parseOriginUrl } from "../../src/ingest/origin.ts";
import { openPlaces } from "../../src/places/places.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { program } from "../faults/server-process.ts";
import { inventRepository, temporaryFolder } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";

const world = temporaryFolder();
afterAll(() => world.remove());

const pieces = [
  ...["a", " ", "\n", "\r\n", "\t\n", '"', "'", "a b ", "[", "[]", "((", "<a ", "</", "@a", "a@"],
  ...[".a", "/a", "#1", "fix ", "import ", "from '", "import (", "require (", "use ", "\\", "*"],
  ...["**/", "*a", "-", "--", "= ", "a.", "é", "\u{1f1e6}", "\ud800", "\u202e"],
];
const letters = isLong ? 2 ** 20 : 2 ** 18;
/** The limit of each test: quadratic work takes longer. */
const milliseconds = isLong ? 300_000 : 60_000;
const texts = pieces.map((piece) => `${piece.repeat(Math.ceil(letters / piece.length))}!`);

const linguist = openLinguist();
const vocabulary = createVocabulary();
const places = openPlaces();

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a message": (text) => [assessMessage(text), assessMessage(`fix\n\n${text}`), isRevert(text)],
  "the template of a subject": (text) => toSubjectTemplate(getSubject(text)),
  "a file's path": (text) => linguist.forTree([text])(text),
  "a path": (text) => [
    findManifest(text),
    deriveOriginFromPath(text),
    parseOriginUrl(`https://${text}`),
  ],
  "a file's content": (text) =>
    ["a.js", "a.html", "a.ps", "a", "a.h"].map((path) => linguist.examine(path, text)),
  attributes: (text) =>
    linguist.forTree(["a/b.c"], {
      findings: new Map(),
      attributes: [
        { path: ".gitattributes", text: `${text} linguist-vendored\n`.repeat(2) },
        {
          path: "a/.gitattributes",
          text: `${text.slice(0, 2000)} linguist-language=C\n`.repeat(isLong ? 500 : 100),
        },
      ],
    })("a".repeat(1000)),
  "an address": (text) => [
    parseNoreplyAddress(`${text}@users.noreply.a.b`),
    parseNoreplyAddress(`a@noreply.${text}`),
  ],
  "a name": (text) => [
    deriveLogin({ name: text, email: text }),
    parseSelector(text),
    parseSelector(`${text}<a@b>`),
  ],
  "a text for skills": (text) => vocabulary.textSkills(text),
  "a text for titles": (text) => vocabulary.titleRoles(text),
  "a place": (text) => places.resolve(text),
  "a word to be corrected": (text) => findNearest(text, ["location", "maxResults"]),
  "a text to be shown": (text) => [
    toPrintable(text),
    cleanForComment(text),
    cleanForComment(text, text.length),
    cleanForModel(text),
    quoteForModel(text),
    toPrintableJson(text),
  ],
};

describe("ends on a long text", () => {
  for (const [what, read] of Object.entries(readers)) {
    test(
      what,
      () => {
        for (const text of texts) expect(() => read(text)).not.toThrow();
      },
      milliseconds,
    );
  }
});

test("an ingest ends, of messages, names and attributes of many megabytes", async () => {
  const letters = "a".repeat((isLong ? 20 : 4) * 2 ** 20);
  const path = inventRepository(join(world.path, "long"), [
    { author: `${"ada ".repeat(200_000)} <ada@example.com>`, message: letters },
    { author: `Ada <${letters}@example.com>`, message: `${"fix [".repeat(2 ** 20)}` },
    {
      author: "Ada Example <ada@example.com>",
      message: `Why\n\n${"Co-authored-by: Ben <".repeat(200_000)}`,
      files: {
        ".gitattributes": `${"*a".repeat(1000)}b linguist-vendored\n`.repeat(400),
        [`${"a".repeat(3000)}.c`]: "\n".repeat(100_000),
        "package.json": `{"dependencies":${"[".repeat(100_000)}`,
        "a.d": "\n".repeat(100_000),
        "a.odin": "\n".repeat(100_000),
        "a.alg": "begin\n".repeat(10_000),
      },
    },
  ]);
  const data = join(world.path, "data");
  const argv = ["ingest", "git", path, "--data", data, "--json"];
  const child = Bun.spawn([...program, ...argv], { stdout: "pipe", stderr: "inherit" });
  const report = (await new Response(child.stdout).json()) as { commits: number };
  expect(await child.exited).toBe(0);
  expect(report.commits).toBe(3);
}, 300_000);
