/**
 * Resolves what comments and documents refer to: a decision by its number, a document by its name and
 * section, a file by its path, a page by its link. A reference that leads nowhere is worse than none.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "..");
const list = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync({ cwd: root })];
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

const documents = [...list("*.md"), ...list("docs/**/*.md")].sort();
const code = [...list("{src,test,scripts}/**/*.{ts,tsx}"), ...list("scripts/*")]
  .filter((path) => !path.includes("node_modules/"))
  .sort();

const headingsOf = (path: string): string[] =>
  [...withoutCode(textOf(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading as string);
const decisions = new Set(
  [...textOf("docs/decisions.md").matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)),
);

/** Fenced blocks hold what people type, and lines that look like headings. */
function withoutCode(page: string): string {
  return page.replace(/^ *```.*?^ *```$/gms, "");
}

/** Comments, each as one running text. */
function commentsIn(source: string): string[] {
  const comments = [""];
  for (const line of source.split("\n")) {
    const [, text] = /(?:^\s*(?:\/\*\*?|\*\/?|\/\/|#)| \/\/ )(.*)$/.exec(line) ?? [];
    if (text === undefined) comments.push("");
    else comments.push(`${comments.pop()} ${text.replace(/\*\/$/, "").trim()}`);
  }
  return comments.filter(Boolean);
}

function missingDecisions(text: string): string[] {
  const numbers = "\\d+(?:(?:,| and| to| or)+ \\d+)*";
  const cited = [...text.matchAll(new RegExp(`\\bdecisions? (${numbers})`, "gi"))];
  return cited.flatMap(([citation, named = ""]) =>
    [...named.matchAll(/\d+/g)].some(([number]) => !decisions.has(Number(number))) ? citation : [],
  );
}

/** `api.md`, "Limits"; the API document is docs/api.md. */
function missingDocuments(text: string): string[] {
  const cited = text.matchAll(
    /(?:\b((?:docs\/)?[\w-]+\.md)\b`?|\bAPI (document))(?:(?:,| \(|\]\([^)]*\),) ?"([^"]+)")?/g,
  );
  return [...cited].flatMap(([citation, name, api, section]) => {
    const path = api ? "docs/api.md" : findDocument(name as string);
    if (path === undefined) return citation;
    return section === undefined || headingsOf(path).includes(section) ? [] : citation;
  });
}

function findDocument(name: string): string | undefined {
  return [name, `docs/${name}`].find((path) => documents.includes(path));
}

/** Paths from the root, also with a pattern (`docs/*.md`) or a placeholder (`seed/NAME.json`). */
function missingFiles(text: string): string[] {
  const named = text.matchAll(/(?<![\w./@~-])(?:src|test|scripts|seed|docs)\/[\w@.*/-]*[\w*/]/g);
  return [...named].map(([path]) => path).filter((path) => !exists(path));
}

function exists(path: string): boolean {
  const pattern = path.replace(/\bNAME\b/, "*");
  return pattern.includes("*") ? list(pattern).length > 0 : existsSync(join(root, path));
}

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
  return letters.replaceAll(" ", "-");
}

function deadLinks(page: string, path: string): string[] {
  const links = withoutCode(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
  return [...links].flatMap(([link, target, anchor]) => {
    const file = target ? normalize(join(dirname(path), target)) : path;
    if (!existsSync(join(root, file))) return link;
    return anchor === undefined || headingsOf(file).map(anchorOf).includes(anchor) ? [] : link;
  });
}

test("comments cite what exists", () => {
  const missing = code.flatMap((path) => {
    const source = textOf(path);
    const comments = commentsIn(source);
    // Messages name pages too; the texts of tests are invented.
    const messages = path.startsWith("test/") ? [] : (source.match(/\bdocs\/[\w-]+\.md/g) ?? []);
    const found = [
      ...comments.flatMap(missingDecisions),
      ...[...comments, ...messages].flatMap(missingDocuments),
      ...comments.flatMap(missingFiles),
    ];
    return found.map((each) => `${path}: ${each}`);
  });
  expect(missing).toEqual([]);
});

test("documents cite what exists", () => {
  const missing = documents.flatMap((path) => {
    const page = textOf(path);
    const found = [
      ...[...missingDecisions(page), ...missingDocuments(page), ...deadLinks(page, path)],
      // What a past version changed may be gone since.
      ...(path === "CHANGELOG.md" ? [] : missingFiles(page)),
    ];
    return found.map((each) => `${path}: ${each}`);
  });
  expect(missing).toEqual([]);
});

test("the slowest tests, which the gate starts first, exist", () => {
  const { files } = JSON.parse(textOf("test/slowest.json"));
  expect(Object.keys(files).filter((path) => !exists(path))).toEqual([]);
});

test("decisions are numbered without a gap", () => {
  expect([...decisions]).toEqual(Array.from(decisions, (_, at) => at + 1));
});

describe("a reference that leads nowhere is found", () => {
  const cases: readonly (readonly [string, (text: string) => string[], string, string])[] = [
    ["a decision", missingDecisions, "(decisions 1, 2)", "(decisions 1 and 999)"],
    ["a document", missingDocuments, "see docs/api.md", "see nowhere.md"],
    ["a section", missingDocuments, 'API document, "Limits"', 'API document ("No such")'],
    ["a section of a page", missingDocuments, 'docs/api.md, "Limits"', 'api.md, "No such"'],
    ["a file", missingFiles, "in `src/main.ts`", "in `src/no-such.ts`"],
    ["a pattern", missingFiles, "`docs/*.md`", "`docs/*.no-such`"],
    ["a link", (text) => deadLinks(text, "README.md"), "[a](docs/api.md#limits)", "[a](no.md)"],
    ["an anchor", (text) => deadLinks(text, "README.md"), "[a](LICENSE)", "[a](docs/api.md#no)"],
  ];
  test.each(cases)("%s", (_, missing, good, bad) => {
    expect(missing(good)).toEqual([]);
    expect(missing(bad)).toHaveLength(1);
  });
});
