/** Draws repositories in which each commit that does not count has one clear reason, and each author one address. */
import { join } from "node:path";
import { type Draw, openDraw } from "./drawn-commits.ts";
import { git, type InventedCommit, inventRepository, run } from "./invented-repository.ts";

/** Where every author has the address that identifies them. */
export const hostOf = "@people.example";

const people = [
  ...["Ada Lindqvist", "Ben Okonkwo", "Cyd Marchetti", "Dora Vasquez", "Emil Thorvald"],
  ...["Fay Nakamura", "dependabot[bot]"],
].map(
  (name) => `${name} <${(name.split(" ")[0] ?? "").replace("[bot]", "").toLowerCase()}${hostOf}>`,
);

/** One author commits with this address, which the mailmap replaces. */
const oldSpelling = "ada <ada@old.example>";
const mailmap = `${people[0]} <ada@old.example>\n`;

interface State {
  readonly draw: Draw;
  /** Seconds since 1970. */
  readonly today: number;
  readonly name: string;
  readonly files: Map<string, string>;
  readonly commits: InventedCommit[];
  made: number;
}

const kinds =
  "work work work work work work busy merge future early late empty whitespace vendored generated copy shared".split(
    " ",
  );

/** @returns paths of the repositories: two of their own, and a fork of the first with its commits or with copies of them. */
export function drawHistories(root: string, seed: number, asOf: string): readonly string[] {
  const draw = openDraw(seed);
  const today = Date.parse(`${asOf}T00:00:00Z`) / 1000;
  const one = drawHistory(draw, today, "one", 20 + draw.below(60));
  const two = drawHistory(draw, today, "two", 10 + draw.below(30));
  const kept = 5 + draw.below(15);
  // Without its merges a history is another one from the first of them on: copies with other ids.
  const shared = draw.chance(0.5)
    ? one.slice(0, kept)
    : one.slice(0, kept).map(({ parents: _, ...commit }) => commit);
  const own = drawHistory(draw, today, "fork", 5 + draw.below(20)).map((commit) => ({
    ...commit,
    ...(commit.parents && { parents: commit.parents.map((parent) => parent + kept) }),
  }));
  const fork = [...shared, ...own];
  const paths = Object.entries({ one, two, fork }).map(([name, commits]) =>
    inventRepository(join(root, `${name}.git`), commits),
  );
  for (const path of paths) if (draw.chance(0.5)) revert(draw, path);
  return paths;
}

function drawHistory(draw: Draw, today: number, name: string, length: number): InventedCommit[] {
  const state: State = { draw, today, name, files: new Map(), commits: [], made: 0 };
  add(state, { ...base(state), files: { ".mailmap": mailmap, "src/a.js": "a();\n" } });
  while (state.commits.length < length) drawStep(state);
  return state.commits;
}

function add({ files, commits }: State, commit: InventedCommit): void {
  commits.push(commit);
  for (const [path, content] of Object.entries(commit.files ?? {})) {
    if (content === null) files.delete(path);
    else files.set(path, content);
  }
}

/** A commit that counts. */
function base(state: State): InventedCommit & { at: number } {
  const { draw, today, name } = state;
  const number = ++state.made;
  return {
    author: draw.chance(0.1) ? oldSpelling : draw.pick(people),
    at: today - (1 + draw.below(700)) * 86_400 + draw.below(86_400),
    message: `Change ${number} of ${name}`,
    files: { [`src/${draw.below(6)}.js`]: `${name}(${number});\n`.repeat(1 + draw.below(4)) },
  };
}

function drawStep(state: State): void {
  const { draw, today } = state;
  const commit = base(state);
  const { at } = commit;
  const day = 86_400;
  const kind = draw.pick(kinds);
  const last = state.commits.length - 1;
  const [path = "", content = ""] = draw.pick(
    [...state.files].filter(([one]) => one.startsWith("src/")),
  );
  if (kind === "merge") {
    if (last > 1) add(state, { ...commit, files: {}, parents: [last, draw.below(last)] });
  } else if (kind === "future")
    add(state, { ...commit, at: today + (1 + draw.below(90)) * day + 5 });
  else if (kind === "late") add(state, { ...commit, committedAt: at - 2 * day });
  else if (kind === "early") add(state, { ...commit, committedAt: at, at: at - 11 * 366 * day });
  else if (kind === "empty") add(state, { ...commit, files: {} });
  else if (kind === "whitespace") {
    const indented = content.replaceAll(/^ */gm, (some) => `${some}  `).trimEnd();
    add(state, { ...commit, files: { [path]: `${indented}\n` } });
  } else if (kind === "vendored") {
    add(state, { ...commit, files: { "vendor/lib/x.js": `x(${at});\n` } });
  } else if (kind === "generated") {
    add(state, { ...commit, files: { "package-lock.json": `{"n": ${at}}\n` } });
  } else if (kind === "shared") {
    const other = draw.pick(people.filter((one) => one !== commit.author && !one.includes("bot")));
    add(state, { ...commit, message: `${commit.message}\n\nCo-authored-by: ${other}\n` });
  } else if (kind === "copy") addCopies(state, commit);
  else if (kind === "busy") addDay(state);
  else add(state, commit);
}

/** A new file, its removal, and the same commit again with another committer date. */
function addCopies(state: State, commit: InventedCommit & { at: number }): void {
  const file = `src/new-${state.made}.js`;
  const first = { ...commit, files: { [file]: `added(${state.made});\n` } };
  add(state, first);
  const removed = { message: `Remove ${file}`, files: { [file]: null } };
  add(state, { ...removed, author: state.draw.pick(people), at: commit.at + 60 });
  add(state, { ...first, committedAt: commit.at + 3600 });
}

/** Somebody's busy day, on which not every commit counts. */
function addDay(state: State): void {
  const { author = "", at } = base(state);
  const morning = at - (at % 86_400);
  for (let count = 4 + state.draw.below(5); count > 0; count--) {
    add(state, { ...base(state), author, at: morning + 60 * count });
  }
}

/** As `git revert` writes it: the newest file that a commit changed is what it was. */
function revert(draw: Draw, path: string): void {
  const shas = git(path, "rev-list", "--no-merges", "HEAD").toString().trim().split("\n");
  const sha = draw.pick(shas.slice(0, 10));
  const message = `Revert "Change"\n\nThis reverts commit ${sha}.\n`;
  const at = Number(git(path, "log", "-1", "--format=%ct", sha).toString());
  const content = `reverted("${sha}");\n`;
  const stream =
    `commit refs/heads/main\nauthor ${people[1]} ${at} +0000\ncommitter ${people[1]} ${at} +0000\n` +
    `data ${message.length}\n${message}\nfrom refs/heads/main^0\n` +
    `M 100644 inline src/0.js\ndata ${content.length}\n${content}\n`;
  run(path, ["fast-import", "--quiet"], Buffer.from(stream));
}
