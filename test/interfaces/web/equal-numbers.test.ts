/**
 * Each number of a person has one name, and one value wherever it is read: on pages, in CSV and JSON files, in the API, and in
 * the texts of assistants and commands. Pages show whole numbers, so all are compared as whole numbers.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { formatYears } from "../../../src/contract/format.ts";
import { openTestAppliance } from "../../appliance.ts";
import { program, readFolder } from "../../faults/server-process.ts";
import { type InventedCommit, inventRepository } from "../../ingest/git/invented-repository.ts";
import { inventedPeople } from "../../invented-people.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { openCommandLine } from "../cli/command-line.ts";
import { openRpc } from "../mcp/rpc.ts";
import { invited, readable } from "./person.ts";

const eva = "Eva Invented <eva@example.com>";
const evaAtHome = "E. Invented <eva@example.com>";
const kai = "Kai Invented <kai@example.org>";

const start = Date.parse("2024-10-07T09:00:00Z") / 1000;
const secondsOn = (day: number, number = 0) => start + day * 86_400 + number * 60;

/** Every tenth day of work has more commits than count. */
function work(author: string, extension: string, days: number): InventedCommit[] {
  return Array.from({ length: days }, (_, day) =>
    Array.from({ length: day % 10 === 0 ? 8 : 2 }, (_, number) => ({
      author: author === eva && day % 3 === 0 ? evaAtHome : author,
      at: secondsOn(day * 9, number),
      files: { [`${extension}/part-${day}.${extension}`]: "x = 1\n".repeat(number + 9) },
    })),
  ).flat();
}

/** Commits that do not count: none changes a file, one undoes another, one merges. And two that they share. */
const others = (length: number): InventedCommit[] => [
  { author: eva, at: secondsOn(701), message: "Say nothing", files: {} },
  { author: evaAtHome, at: secondsOn(702), message: "Say nothing again", files: {} },
  {
    author: eva,
    at: secondsOn(703),
    message: 'Revert "Add it"\n\nThis reverts commit 1234567890123456789012345678901234567890.',
    files: { "ex/part-1.ex": null },
  },
  { author: eva, at: secondsOn(704), files: {}, message: "Merge", parents: [length + 2, 3] },
  { author: kai, at: secondsOn(705), message: "Stop", files: {} },
  {
    author: eva,
    at: secondsOn(706),
    message: "Share it\n\nCo-authored-by: Kai Invented <kai@example.org>",
    files: { "ex/shared.ex": "x = 1\n", "rb/shared.rb": "x = 1\n" },
  },
  {
    author: kai,
    at: secondsOn(707),
    message: "Share more\n\nCo-authored-by: E. Invented <eva@example.com>",
    files: { "ex/more.ex": "x = 2\n", "rb/more.rb": "x = 2\n" },
  },
];

const mirrors = temporaryFolders()();
const common = [...work(eva, "ex", 70), ...work(kai, "rb", 30)];
const all = [...common, ...others(common.length)];
const fork = [...all.slice(0, 40), { author: eva, at: secondsOn(710), files: { "f.ex": "x\n" } }];
inventRepository(join(mirrors, "ledger.git"), all);
inventRepository(join(mirrors, "fork.git"), fork);

const now = new Date().toISOString();
const roster = await openTestAppliance({
  ...{ folder: true, self: program, now, people: inventedPeople.slice(0, 3) },
});
const line = openCommandLine(() => new Date(now));
const boss = await invited(roster, "boss@corp.example", { administrator: true });
await readFolder(mirrors, roster.config.data);
await waitFor("/admin/runs", /\d people added/);
await roster.modules.search.refresh();
const { key } = await roster.newAccount("enterprise", { callsPerDay: "unlimited" });
const mcp = openRpc(roster.handle, key);
const logins = await roster.modules.pool.logins();
afterAll(async () => {
  line.close();
  await roster.close();
});

async function waitFor(path: string, words: RegExp): Promise<string> {
  for (let times = 0; times < 600; times++) {
    const { text } = await boss.open(path);
    if (words.test(readable(text))) return text;
    await Bun.sleep(50);
  }
  throw new Error(`${path} never says ${words}`);
}

/** A row of a CSV file as lines of `heading: value`. */
async function openRow(path: string, login: string): Promise<string> {
  const [headings = "", ...rows] = (await boss.open(path)).text.trim().split("\r\n");
  const cut = (row: string) => [...row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)];
  const values = cut(rows.find((row) => row.startsWith(`${login},`)) ?? "");
  return cut(headings)
    .map(([, heading], at) => `${heading}: ${values[at]?.[1]}`)
    .join("\n");
}

const openWords = async (path: string) => readable((await boss.open(path)).text);

async function askApi(path: string, body?: object): Promise<string> {
  const { body: answer } = await roster.client.ask({ path, key, ...(body && { body }) });
  return JSON.stringify(answer.data, null, 1);
}

const askAssistant = async (name: string, input: object): Promise<string> =>
  (await mcp.call(name, input)).result.content[0].text;

async function runCommand(...argv: string[]): Promise<string> {
  const { out, err, code } = await line.run(...argv, "--data", roster.config.data);
  if (code !== 0) throw new Error(`roster ${argv.join(" ")}: ${err}`);
  return out + err;
}

interface Someone {
  readonly login: string;
  /** A skill that nobody else has, and the folder where nobody else works. */
  readonly skill: string;
  readonly folder?: string;
}

/** Everything that shows numbers of a person, by the name of the place. */
async function readPlaces({ login, skill, folder }: Someone) {
  const search = `skills=${skill}`;
  const list = await boss.send("/saved/add", "add", { login, name: `List of ${login}` });
  const saved = await boss.send("/saved", "save-search", { name: skill, query: search });
  const found = { location: "worldwide", skills: [skill] };
  const places: Record<string, string> = {
    "the person's page": await openWords(`/developers/${login}`),
    "the person's page, from a search": await openWords(`/developers/${login}?${search}`),
    "the file of everything": (await boss.open(`/developers/${login}/everything.json`)).text,
    "the file of the analysis": (await boss.open(`/developers/${login}/analysis.json`)).text,
    compare: await openWords(`/compare?login=${login}&${search}`),
    results: await openWords(`/?${search}`),
    "results as CSV": await openRow(`/search/people.csv?${search}`, login),
    "results as JSON": (await boss.open(`/search/people.json?${search}`)).text,
    "saved search": await openWords(saved.at),
    list: readable(list.text),
    "list as CSV": await openRow(`${list.at}?format=csv`, login),
    "API search": await askApi("/v1/search", found),
    "API profile": await askApi(`/v1/users/${login}`),
    "API analysis": await askApi("/v1/profile/analyze", { login }),
    "assistant's search": await askAssistant("search_developers", found),
    "assistant's profile": await askAssistant("get_developer", { login }),
    "assistant's analysis": await askAssistant("analyze_profile", { login }),
    "command search": await runCommand("search", "worldwide", "--skills", skill),
    "command analyze": await runCommand("analyze", login),
    "command explain": await runCommand("explain", login),
  };
  if (folder === undefined) return places;
  const asked = { repository: "ledger", path: folder };
  const who = new URLSearchParams(asked);
  const leaving = { repository: "ledger", without: [login] };
  const without = new URLSearchParams({ repository: "ledger", without: login });
  return {
    ...places,
    identities: readable(await waitFor(`/developers/${login}/identity`, /@example\.\w+> \d/)),
    "command identity": await runCommand("identity", "list", login),
    who: await openWords(`/who?${who}`),
    everybody: await openWords(`/who/people?${who}`),
    "who as CSV": await openRow(`/who/people.csv?${who}`, login),
    "API who": await askApi("/v1/who", asked),
    "assistant's who": await askAssistant("who_knows", asked),
    "hand-over": await openWords(`/who?${without}`),
    "hand-over as CSV": (await boss.open(`/who/handover.csv?${without}`)).text,
    "API hand-over": await askApi("/v1/who", leaving),
    "assistant's hand-over": await askAssistant("who_knows", leaving),
    "command who": await runCommand("who", "--repository", "ledger", "--path", folder),
  };
}

/** Where a number is: its name, the places, and a pattern that captures it, or a function that computes it. */
type Reading = readonly [
  name: string,
  places: readonly string[],
  find: RegExp | ((text: string, someone: Someone) => string | number | undefined),
];

const sumOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0);

const analyses = ["API analysis", "the file of the analysis"];

/** Numbers of everybody. */
const readings: readonly Reading[] = [
  ["commits", ["the person's page"], /Activity ([\d,]+) commits?/],
  ["commits", ["the person's page"], /AI assistants: [\d,]+ of ([\d,]+) commits/],
  ["commits", ["compare"], /Commits, all years ([\d,]+)/],
  ["commits", [...analyses, "the file of everything"], /"totalCommits": ?(\d+)/],
  [
    "commits",
    ["assistant's analysis", "command analyze"],
    /([\d,]+) commits(?: count, of [\d,]+ written)?\. Current activity/,
  ],
  ["score", ["the person's page"], /\bScore (\d+)/],
  ["score", ["compare"], /Score, of 100 .*?\bScore (\d+)/],
  ["score", ["list"], /(\d+) of 100/],
  ["score", ["results"], /(\d+) overall/],
  ["score", ["list as CSV", "assistant's profile"], /score:? ([\d.]+)/],
  ["score", ["API profile", ...analyses], /"score": ?([\d.]+)/],
  ["score", ["assistant's analysis", "command analyze"], /, score (\d+)/],
  ["score", ["command explain"], /^\S+: (\d+)/m],
  ["experience and breadth", ["the person's page", "compare"], /Experience and breadth (\d+)/],
  [
    "experience and breadth",
    ["list as CSV", "results as CSV", "assistant's profile", "assistant's search"],
    /experience and breadth:? (\d+)/,
  ],
  ["experience and breadth", ["API profile", "API search"], /"profile_score": ?(\d+)/],
  ["experience and breadth", analyses, /"profile": ?(\d+)/],
  ["experience and breadth", ["command explain"], /experience and breadth (\d+)/],
  ["tech stack", ["the person's page", "compare"], /Tech stack (\d+)/],
  ["tech stack", ["list as CSV", "assistant's profile", "command explain"], /tech stack:? (\d+)/],
  ["tech stack", ["API profile"], /"tech_stack_score": ?(\d+)/],
  ["tech stack", analyses, /"techStack": ?(\d+)/],
  ["experience and breadth", ["results"], /experience and breadth, \d+ % (\d+)/],
  ["activity", ["results"], /activity, \d+ % (\d+)/],
  ["activity", ["the person's page"], /Activity (\d+)/],
  ["activity", ["list as CSV", "results as CSV", "command explain"], /^activity:? (\d+)/m],
  ["activity", ["assistant's profile", "assistant's search"], /, activity (\d+)/],
  ["activity", ["API profile", "API search"], /"activity_score": ?(\d+)/],
  ["match", ["the person's page, from a search"], /(\d+) match for this search/],
  ["match", ["compare"], /Match for .*? (\d+)/],
  ["match", ["results", "saved search"], /(\d+) match/],
  ["match", ["results"], /(\d+) of 100: why/],
  ["match", ["results as CSV"], /^match: ([\d.]+)/m],
  ["match", ["results as JSON", "API search"], /"score": ?([\d.]+)/],
  ["match", ["assistant's search"], /: match (\d+)/],
  ["match", ["command search"], /^\w+-\w+ +(\d+)/m],
  ["skills of the search", ["results"], /skills of the search, \d+ % (\d+)/],
  ["skills of the search", ["compare"], /Skills of the search (\d+)/],
  [
    "skills of the search",
    ["results as CSV", "assistant's search"],
    /skills of the search:? (\d+)/,
  ],
  ["skills of the search", ["API search", "results as JSON"], /"tech_stack_score": ?(\d+)/],
  ["experience", ["assistant's profile", "assistant's analysis"], /(\d+ (?:years?|months?))/],
  ["experience", ["compare"], /Experience Experience (\d+ (?:years?|months?))/],
  [
    "experience",
    ["API profile", "API search"],
    (text) => formatYears(Number(/"platform_experience": ?([\d.]+)/.exec(text)?.[1])),
  ],
  ["commits a month", ["API profile", "API search"], /"commits_per_month": ?([\d.]+)/],
  ["commits a month", ["assistant's profile", "assistant's search"], /commits (\d+) a month/],
  ["commits a month", ["assistant's analysis"], /Current activity: (\d+) a month/],
  ["commits of 12 months", ["the person's page"], /Last 12 months ([\d,]+) commits?/],
  ["commits of 12 months", ["the person's page"], /Current activity: ([\d,]+) commits?/],
  ["commits of 12 months", analyses, /"current": ?\{[^}]*?"commits": ?([\d.]+)/],
  ["commits of the best year", ["the person's page"], /Best year of the last three ([\d,]+)/],
  ["commits of the best year", ["the person's page"], /Best year of the 36 [^:]*: ([\d,]+)/],
  ["commits of the best year", ["compare"], /Commits in the best year (?:about )?([\d,]+)/],
  ["commits of the best year", analyses, /"bestYear": ?\{[^}]*?"commits": ?([\d.]+)/],
  [
    "strength of the skill",
    ["the person's page"],
    (text, { skill }) => new RegExp(`Strength Evidence.*? ${skill} [a-z]+ (\\d+)`).exec(text)?.[1],
  ],
  [
    "strength of the skill",
    ["compare", "assistant's analysis"],
    (text, { skill }) => new RegExp(`Skills.*? ${skill} (\\d+)`).exec(text)?.[1],
  ],
  [
    "strength of the skill",
    analyses,
    (text, { skill }) =>
      new RegExp(`"skill": ?"${skill}"[^}]*?"strength": ?(\\d+)`).exec(text)?.[1],
  ],
];

/** Numbers of people whose work git knows. */
const gitReadings: readonly Reading[] = [
  ["written", ["the person's page", "assistant's analysis"], /of ([\d,]+) written/],
  [
    "written",
    analyses,
    (text) =>
      Number(/"totalCommits": ?(\d+)/.exec(text)?.[1]) +
      sumOf(/"excluded": ?\{([^}]*)\}/.exec(text)?.[1] ?? "", /: ?(\d+)/g),
  ],
  ["written", ["identities"], (text) => sumOf(text, /@example\.\w+> (\d+)/g)],
  ["written", ["command identity"], (text) => sumOf(text, /@example\.\w+ +(\d+) /g)],
  ["written", ["the file of everything"], (text) => sumOf(text, /"written": ?(\d+)/g)],
  ["commits to these files", ["who"], /([\d,]+) commits to [\d,]+ files? here/],
  ["commits to these files", ["everybody"], /Last active .*? % ([\d,]+)/],
  ["commits to these files", ["who as CSV"], /^commits to these files: (\d+)/m],
  ["commits to these files", ["API who"], /"evidence": ?\{[^}]*?"commits": ?(\d+)/],
  [
    "commits to these files",
    ["assistant's who", "command who"],
    /([\d,]+) commits to [\d,]+ files? here/,
  ],
  ["lines that remain", ["who", "assistant's who", "API who"], /About ([\d,]+) of their lines/],
  ["lines that remain", ["who as CSV"], /^lines: (\d+)/m],
  ["share", ["who", "everybody"], /\D([\d.]+) % (?:active|[\d,]+ [\d,]+ [\d,]+ \d+ \w{3})/],
  ["share", ["API who"], /"score": ?([\d.]+)/],
  ["share", ["who as CSV"], /^score: ([\d.]+)/m],
  ["share", ["assistant's who"], /: (\d+) %;/],
  ["files they know", ["hand-over"], /of ([\d,]+) (?:files )?they know/],
  ["files they know", ["API hand-over"], /"handover": ?\{[^}]*?"files": ?(\d+)/],
  ["files they know", ["assistant's hand-over"], /of ([\d,]+) files that they know/],
  ["files only they know", ["hand-over"], /files only they know ([\d,]+)/],
  ["files only they know", ["API hand-over"], /"lost": ?(\d+)/],
  ["files only they know", ["assistant's hand-over"], /nobody else knows ([\d,]+)/],
  ["files only they know", ["hand-over as CSV"], (text) => sumOf(text, /^[^,]*,\d+,\d+,(\d+)/gm)],
];

const people: readonly Someone[] = [
  { login: logins.find((login) => login.startsWith("eva")) ?? "", skill: "Elixir", folder: "ex" },
  { login: logins.find((login) => login.startsWith("kai")) ?? "", skill: "Ruby", folder: "rb" },
  { login: "chloe-specimen", skill: "Django" },
];

describe.each(people)("the numbers of $login", (someone) => {
  test("have one value for each name", async () => {
    const places: Record<string, string> = await readPlaces(someone);
    const values = new Map<string, Map<string, string[]>>();
    for (const [name, where, find] of [...readings, ...(someone.folder ? gitReadings : [])]) {
      for (const place of where) {
        const text = places[place] ?? "";
        const read = typeof find === "function" ? find(text, someone) : find.exec(text)?.[1];
        const value = normalise(read);
        const found = values.getOrInsertComputed(name, () => new Map());
        found.getOrInsertComputed(value, () => []).push(place);
      }
    }
    const differing = [...values].filter(([, found]) => found.size > 1);
    expect(differing.map(([name, found]) => [name, Object.fromEntries(found)])).toEqual([]);
    for (const [name, found] of values) expect([name, ...found.keys()]).not.toContain("absent");
  });
});

function normalise(read: string | number | undefined): string {
  if (read === undefined || Number.isNaN(read)) return "absent";
  const number = Number(String(read).replaceAll(",", ""));
  return Number.isNaN(number) ? String(read) : String(Math.round(number));
}

test("a person from a file has no written commits, since nobody knows them", async () => {
  expect(await openWords("/developers/chloe-specimen")).not.toMatch(/\d written/);
});

test("written commits are more than counted ones, and other than commits to the files", async () => {
  const { login } = people[0] as Someone;
  const [analysis] = await roster.modules.pool.findAnalyses([login]);
  const { totalCommits = 0, excluded = {} } = analysis?.activity ?? {};
  expect(Object.keys(excluded)).toEqual(["capped", "empty", "merge", "revert"]);
  const words = await openWords("/who?repository=ledger&path=ex");
  const [, touched] = /([\d,]+) commits to [\d,]+ files? here/.exec(words) ?? [];
  expect(Number(touched)).toBeGreaterThan(totalCommits);
});
