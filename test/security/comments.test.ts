/**
 * A comment on a change shows what others wrote as they wrote it, and nothing of it acts: rendered by two programs, one of
 * them GitHub's own, it has the elements that Roster writes and no other, and outside of code plain words alone.
 */
import { describe, expect, test } from "bun:test";
import MarkdownIt from "markdown-it";
import { cleanForComment, quoteForComment } from "../../src/contract/foreign-text.ts";
import type { WhoData } from "../../src/contract/people/who-knows.ts";
import { writeKnowledgeComment } from "../../src/operations/knowledge-comment.ts";
import { findRecipeTool } from "../packaging/tools.ts";
import { createRandom, drawSeed } from "../random.ts";

const pieces = [
  ...["@root1", "&#64;root1", "\\@root1", "@acme/core", "#12", "!34", "&5", "~label", "%2", "$1"],
  ...[":tada:", ":+1:", "GH-12", "TICKET-123", "acme/queue#1", "acme/queue@9755baf4", "9755baf"],
  ...["deadbeef", "9755baf4d8135beee2cac9a1633ac17e9d5a9fa7", "[[_TOC_]]", "::include{file=x}"],
  ...["https://evil.example/?a=b&c", "www.evil.example", "ada@evil.example", "mailto:a@b.example"],
  ...["<a href=x>", "</code>", "</td></tr></table>", "<!--", "-->", "<script>", "<img src=x>"],
  ...["<b"],
  ...["&lt;b&gt;", "&#x3c;i&#x3e;", "&amp;", "![x](y)", "[x](javascript:y)", "[x]: y", "[^1]"],
  ...["**b**", "__b__", "_e_", "*e*", "~~s~~", "`c`", "``", "|", "\\|", "\\", "$`x`$", "$$x$$"],
  ...["\n", "\n\n", "\r\n", "\n# h", "\n> q", "\n- l", "\n1. l", "\n---", "\n```", "\n~~~", "\t"],
  ...["\n/assign me", "/close", "\n    code", "\u2028", "\u0000", "\u001b[31m", "\u202e", "\u2066"],
  ...["\u200b", "\ufe0f", "\ud800", "Ada", "Größe", "東京", "😀", " ", "  ", "-", ".", "_", "/"],
  ...["'", '"'],
];

const random = createRandom(drawSeed("comments"));
const draw = () =>
  Array.from(
    { length: 1 + Math.floor(random() * 6) },
    () => pieces[Math.floor(random() * pieces.length)],
  ).join(random() < 0.5 ? "" : " ");

const evidence = {
  ...{ commits: 1, assisted: 0, reviews: 0, files: 1, lines: 9, lineShare: 1, recentShare: 1 },
};

/** Fills an answer with a text wherever foreign text can stand. */
function fill(text: string, isChange: boolean): WhoData {
  return {
    ...(isChange && { isChange }),
    people: [
      {
        ...{ login: text, name: text, emails: [text], accounts: [text], score: 50, confidence: 1 },
        ...{ lastActive: "2026-11-01", evidence, reasons: [text, text] },
        files: [{ path: text, share: 0.5 }],
      },
    ],
    ...{ total: 2, repositories: [{ name: text, forge: text }], paths: [text] },
    ...{ unknownPaths: [text], files: 3, commits: 4, truckFactor: { people: 1, logins: [text] } },
    soleFiles: { total: 1, files: [{ path: text, login: text }] },
    orphanedFiles: { total: 1, files: [text] },
    handover: {
      ...{ logins: [text], files: 1, lost: 1 },
      folders: [{ path: text, files: 1, known: 1, lost: 1, share: 1, next: [] }],
    },
    authors: [
      {
        ...{ given: text, standing: "known", login: text, name: text, isByName: true },
        ...{ commits: 3, assisted: 1, reviews: 1, first: text },
        folders: [{ path: text, share: 0.5 }],
      },
      ...(["known", "new", "unknown", "bot", "assistant"] as const).map((standing) => ({
        ...{ given: `${text} <a@example.com>`, standing },
      })),
    ],
    ...{
      historyStart: text,
      folders: [],
      asOf: "2026-11-27",
      historyEnd: text,
      modelVersion: text,
    },
  };
}

/** As a reader sees it: runs of spaces are one, and what is hidden is one, too. */
const seen = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\s\p{C}\p{Z}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]+/gu, " ")
    .trim();

const named = { amp: "&", lt: "<", gt: ">", quot: '"' };

const decode = (html: string) =>
  html.replace(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code?: string, name?: keyof typeof named) =>
    name ? named[name] : String.fromCodePoint(Number(code)),
  );

const ours = /<\/?(?:h3|p|table|thead|tbody|tr|th|td|code)>|<br>/g;

/** What stands in a comment outside of code: our sentences, and plain words and figures of others. */
const plainText = /^[\p{L}\p{M}\d\s.,;:%'’-]*$/u;

function expectHarmless(html: string, text: string) {
  const codes = [...html.matchAll(/<code>([^<]*)<\/code>/g)].map(([, inner = ""]) => decode(inner));
  const shown = [...seen(text)].slice(0, 160).join("").trimEnd();
  expect(codes.filter((code) => seen(code).startsWith(shown)).length).toBeGreaterThan(2);
  const outside = html.replace(/<code>[^<]*<\/code>/g, " ").replace(ours, " ");
  expect(outside).not.toContain("<");
  expect(outside).toMatch(plainText);
  expect(outside).not.toMatch(/(?<![\p{L}\d])[\da-f]{7,40}(?![\p{L}\d])/iu);
  expect(outside).not.toMatch(/[a-z_][.:]\w|[a-z]-\d/i);
  // A reader sees the complete text.
  expect(seen(decode(html.replace(/<[^<>]*>/g, " "))).replaceAll(" ", "")).toContain(
    shown.replaceAll(" ", ""),
  );
}

const cases = [...pieces, ...Array.from({ length: 400 }, draw)].flatMap((text) =>
  [true, false].map((isChange) => ({ text, lines: writeKnowledgeComment(fill(text, isChange)) })),
);

describe("of what others wrote, in a comment", () => {
  test("no line begins with it, and none is empty but the one below the heading", () => {
    for (const { lines } of cases) {
      expect(lines[1]).toBe("");
      for (const line of lines.slice(2)) expect(line).toMatch(/^<(?!!)[^\n\r]+>$/);
    }
  });

  test("markdown-it shows the words, and no element", () => {
    const renderer = new MarkdownIt({ html: true, linkify: true, typographer: true });
    for (const { text, lines } of cases) expectHarmless(renderer.render(lines.join("\n")), text);
  });

  const python = findRecipeTool("python");
  test.skipIf(!python)("GitHub's own renderer shows the words, and no element", () => {
    const program =
      "import cmarkgfm, json, sys\n" +
      "unsafe = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE\n" +
      "json.dump([cmarkgfm.github_flavored_markdown_to_html(each, unsafe) for each in json.load(sys.stdin)], sys.stdout)";
    const comments = JSON.stringify(cases.map(({ lines }) => lines.join("\n")));
    const ran = Bun.spawnSync([String(python), "-c", program], { stdin: Buffer.from(comments) });
    const rendered = JSON.parse(ran.stdout.toString()) as string[];
    for (const [at, { text }] of cases.entries()) expectHarmless(rendered[at] ?? "", text);
  });

  test("words of a sentence stay words; a word that could act becomes code", () => {
    expect(cleanForComment("12 commits to 3 files, 2025-01-01 to 2026-02-02.")).toBe(
      "12 commits to 3 files, 2025-01-01 to 2026-02-02.",
    );
    expect(cleanForComment("and ada-2 @x, who is as suitable, 45 %.")).toBe(
      "and <code>ada-2 &#64;x&#44;</code> who is as suitable, 45 %.",
    );
    expect(cleanForComment("defaced words")).toBe("<code>defaced</code> words");
    expect(quoteForComment("src/a_b.ts")).toBe("<code>src/a_b.ts</code>");
  });

  test("GitHub takes the longest comment", () => {
    const long = fill("@".repeat(2000), true);
    const people = Array.from({ length: 100 }, () => long.people[0] as WhoData["people"][number]);
    const unknownPaths = Array.from({ length: 500 }, () => "#".repeat(1024));
    const lines = writeKnowledgeComment({ ...long, people, unknownPaths });
    expect(lines.join("\n").length).toBeLessThan(65_536);
  });
});
