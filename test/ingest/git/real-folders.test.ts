/**
 * After any sequence of moves, copies, replacements and rewritten histories of real folders, the pool is the one that reading the
 * folders anew gives, and the ledger knows each folder once. Unlike `equality.test.ts`, the runs go through recognition.
 */
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createRandom, drawSeed } from "../../random.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { describeData, showDifference } from "./describe-data.ts";
import { git, inventRepository, run } from "./invented-repository.ts";
import { openData } from "./opened-data.ts";

const folder = makeFolder("folders");
const rounds = process.env["TEST_LONG"] === "1" ? 200 : 2;

const authors = [
  "Ada Example <ada@corp.example>",
  "Ben Sample <ben@corp.example>",
  "Cy Quill <cy@list.example>",
  "Dee Quill <dee@corp.example>",
] as const;

/** Where repositories may be, below the folder that is read; a name may occur in two folders. */
const spots = ["app", "app.old", "core/app", "lib", "lib/inner", "tool.git", "zoo"] as const;
const remotes = ["corp/one", "corp/two", "corp/three"] as const;

type Data = ReturnType<typeof openData>;

class World {
  readonly root = mkdtempSync(join(folder, "round-"));
  readonly read = join(this.root, "read");
  readonly told: string[] = [];
  private readonly random: () => number;
  private made = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    for (const name of ["read", "store", "trash"]) mkdirSync(join(this.root, name));
  }

  below(n: number): number {
    return Math.floor(this.random() * n);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** Spots with a repository. */
  used(): string[] {
    return spots
      .map((spot) => join(this.read, spot))
      .filter((path) => existsSync(join(path, "HEAD")));
  }

  /** Spots that are free, and neither in a repository nor around one. */
  free(): string | undefined {
    const used = this.used();
    const isFree = (path: string) =>
      !used.some((other) => `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`));
    const path = this.pick(spots.map((spot) => join(this.read, spot)).filter(isFree));
    if (path === undefined) return undefined;
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  commits(count: number) {
    return Array.from({ length: count }, () => {
      this.made += 1;
      return {
        author: this.pick(authors) ?? authors[0],
        at: 1_700_000_000 + this.made * 50_000,
        message: `Change number ${this.made}\n\nReviewed-by: ${this.pick(authors)}\n`,
        files: { [`src/${this.below(4)}.js`]: `const value = ${this.made};\n` },
      };
    });
  }

  create(): void {
    const path = this.free();
    if (!path) return;
    inventRepository(path, this.commits(2 + this.below(3)));
    if (this.below(3) > 0) this.name(path, this.pick(remotes) ?? "");
    this.told.push(`create ${this.label(path)}`);
  }

  name(path: string, name: string): void {
    git(path, "config", "remote.origin.url", `https://git.corp.example/${name}.git`);
  }

  push(path: string): void {
    for (const { author, at, message, files } of this.commits(1 + this.below(2))) {
      const [[file = "", content = ""] = []] = Object.entries(files);
      const stream =
        `commit refs/heads/main\nauthor ${author} ${at} +0000\ncommitter ${author} ${at} +0000\n` +
        `data ${Buffer.byteLength(message)}\n${message}\nfrom refs/heads/main^0\n` +
        `M 100644 inline ${file}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
      run(path, ["fast-import", "--quiet"], Buffer.from(stream));
    }
  }

  /** As after a forced push. */
  rewrite(path: string): void {
    const count = Number(git(path, "rev-list", "--count", "HEAD").toString());
    git(path, "update-ref", "refs/heads/main", `main~${this.below(count)}`);
    this.push(path);
  }

  move(from: string, to: string | undefined): void {
    if (to) renameSync(from, to);
  }

  swap(one: string, other: string): void {
    const between = join(this.root, "between");
    renameSync(one, between);
    renameSync(other, one);
    renameSync(between, other);
  }

  remove(path: string): void {
    // A repository behind a link is kept elsewhere: without the link nothing leads to it.
    if (lstatSync(path).isSymbolicLink()) rmSync(realpathSync(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
  }

  link(path: string): void {
    if (lstatSync(path).isSymbolicLink()) return;
    this.made += 1;
    const target = join(this.root, "store", `${this.made}.git`);
    renameSync(path, target);
    symlinkSync(target, path);
  }

  clone(from: string, to: string | undefined): void {
    if (!to) return;
    const url = this.urlOf(from);
    run(this.root, ["clone", "--quiet", "--mirror", `file://${from}`, to]);
    git(to, "config", "--remove-section", "remote.origin");
    if (url) git(to, "config", "remote.origin.url", url);
  }

  urlOf(path: string): string {
    return run(path, ["config", "--default", "", "remote.origin.url"]).toString().trim();
  }

  label(path: string): string {
    return path.slice(this.read.length + 1);
  }

  /** One thing that somebody does with the folders between two runs. */
  act(): void {
    const kind = this.pick(kinds) ?? "push";
    const [one, other] = [this.pick(this.used()), this.pick(this.used())];
    if (kind === "create" || !one || !other) {
      this.create();
      return;
    }
    const where = [one, other].map((path) => this.label(path)).join(" ");
    this.told.push(`${kind} ${where}`);
    const trash = join(this.root, "trash");
    if (kind === "push") this.push(one);
    else if (kind === "rewrite") this.rewrite(one);
    else if (kind === "move") this.move(one, this.free());
    else if (kind === "copy") {
      const to = this.free();
      if (to) cpSync(realpathSync(one), to, { recursive: true });
    } else if (kind === "clone") this.clone(one, this.free());
    else if (kind === "link") this.link(one);
    else if (kind === "name") this.name(one, this.pick(remotes) ?? "");
    else if (kind === "delete") {
      if (!lstatSync(one).isSymbolicLink()) renameSync(one, join(trash, String(++this.made)));
    } else if (kind === "restore") {
      const thrown = this.pick(readdirSync(trash).sort());
      const to = this.free();
      if (thrown && to) renameSync(join(trash, thrown), to);
    } else if (one === other) this.push(one);
    else if (kind === "swap") this.swap(one, other);
    else if (kind === "replace") {
      this.remove(one);
      renameSync(other, one);
    } else if (kind === "aside") {
      const to = this.free();
      if (!to) return;
      renameSync(one, to);
      renameSync(other, one);
    }
  }
}

const kinds = [
  ...(["push", "rewrite", "rewrite", "move", "copy", "clone", "link", "name", "delete"] as const),
  ...(["restore", "swap", "replace", "aside", "aside", "create"] as const),
];

/** What an operator sees: each path once, and nothing at a path that is not there. */
function checkPlaces({ ledger }: Data, { read }: World): number[] {
  const places = ledger.places();
  const isThere = (directory: string | null) =>
    directory !== null &&
    existsSync(join(directory, "HEAD")) &&
    realpathSync(directory) === directory;
  const there = places.filter(({ directory }) => isThere(directory));
  const paths = there.map(({ path }) => path).sort();
  const found = spots.map((spot) => join(read, spot));
  expect(paths).toEqual(found.filter((path) => existsSync(join(path, "HEAD"))).sort());
  const gone = places.filter(({ directory }) => !isThere(directory));
  const living = new Set(there.map(({ name, forge, roots }) => `${forge} ${name} ${roots}`));
  const ghosts = gone.filter(({ name, forge, roots }) => living.has(`${forge} ${name} ${roots}`));
  expect(ghosts.map(({ path, name }) => `${name} at ${path}`)).toEqual([]);
  return gone.map(({ id }) => id);
}

async function play(world: World): Promise<void> {
  const data = openData();
  const ingest = (one: Data, forgetting: readonly number[] = []) =>
    one.ingest([world.read], { canRemoveMany: true, forgetting });
  for (let at = 0; at < 3; at++) world.create();
  for (let at = 0; at < 5; at++) {
    await ingest(data);
    world.told.push("run");
    checkPlaces(data, world);
    for (let more = world.below(3); more >= 0; more--) world.act();
  }
  if (world.used().length === 0) world.create();
  await ingest(data);
  // What was deleted counts until the operator forgets it.
  await ingest(data, checkPlaces(data, world));
  const fresh = openData();
  await ingest(fresh);
  const [runs, anew] = [await describeData(data), await describeData(fresh)];
  if (runs !== anew) throw new Error(showDifference(runs, anew));
  await data.pool.close();
  await fresh.pool.close();
  rmSync(world.root, { recursive: true });
}

test("however folders move between runs, the pool is the one of reading them anew", async () => {
  const seed = drawSeed("folders");
  for (let round = 0; round < rounds; round++) {
    const world = new World(seed + round);
    await play(world).catch((error: Error) => {
      error.message = `TEST_SEED=${seed + round} after ${world.told.join(", ")}: ${error.message}`;
      throw error;
    });
  }
}, 600_000);
