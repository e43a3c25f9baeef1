/** A folder of real repositories to which, between two runs, happens what happens to folders. */
import {
  chmodSync,
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
import { type DrawnCommit, drawCommit, openDraw, pushCommits } from "./drawn-commits.ts";
import { git, inventRepository, run } from "./invented-repository.ts";
import { addNote, composeAgentNote, composeNote, listCommits } from "./notes/invented-notes.ts";

/** Where repositories may be, below the folder that is read; a name may occur in two folders. */
const spots = ["app", "app.old", "core/app", "lib", "lib/inner", "tool.git", "zoo"] as const;
const names = ["ada/one", "ben/two", "ada/three"] as const;

const kinds =
  "push push rewrite rewrite move copy clone link name delete restore swap replace aside aside create pick note note break hide heal".split(
    " ",
  );

export class FolderWorld {
  readonly root: string;
  readonly read: string;
  readonly told: string[] = [];
  readonly draw: ReturnType<typeof openDraw>;
  private readonly forge: string;
  private readonly commits: DrawnCommit[] = [];
  private made = 0;

  /** @param forge the address of the forge that the remotes name. */
  constructor(seed: number, folder: string, forge: string) {
    this.forge = forge;
    this.draw = openDraw(seed);
    this.root = mkdtempSync(join(folder, "round-"));
    this.read = join(this.root, "read");
    for (const name of ["read", "store", "trash"]) mkdirSync(join(this.root, name));
  }

  /** Spots with a repository. */
  used(): string[] {
    return spots
      .map((spot) => join(this.read, spot))
      .filter((path) => existsSync(join(path, "HEAD")));
  }

  /** One thing that somebody does with the folders between two runs. */
  act(): void {
    const used = this.used();
    const kind = this.draw.pick(kinds);
    const [one, other] = [this.draw.pick(used), this.draw.pick(used)];
    if (kind === "create" || !one || !other) {
      this.create();
      return;
    }
    this.told.push(`${kind} ${this.label(one)} ${this.label(other)}`);
    if (kind === "break" || kind === "hide") this.damage(one, kind);
    else if (kind === "move") this.moveAside(one);
    else if (kind === "swap") this.swap(one, other);
    else if (kind === "delete") this.delete(one);
    else if (kind === "restore") this.restore();
    else if (kind === "aside") this.moveAside(one, other);
    else {
      // What opens the repository needs all of it.
      this.heal(one);
      if (kind === "replace") this.replace(one, other);
      else this.change(kind, one);
    }
  }

  private change(kind: string, path: string): void {
    if (kind === "push") this.push(path);
    else if (kind === "rewrite") this.rewrite(path);
    else if (kind === "pick") pushCommits(path, [this.draw.pick(this.commits)]);
    else if (kind === "note") this.note(path);
    else if (kind === "name") this.name(path, this.draw.pick(names));
    else if (kind === "link") this.link(path);
    else if (kind === "clone") this.clone(path);
    else if (kind === "copy") {
      const to = this.free();
      if (to) cpSync(realpathSync(path), to, { recursive: true });
    }
  }

  create(): void {
    const path = this.free();
    if (!path) return;
    inventRepository(path, this.drawCommits(2 + this.draw.below(3)));
    if (this.draw.below(3) > 0) this.name(path, this.draw.pick(names));
    this.told.push(`create ${this.label(path)}`);
  }

  healAll(): void {
    for (const path of this.used()) this.heal(path);
  }

  /** Leaves no repository readable. */
  damageAll(): void {
    for (const path of this.readable()) this.damage(path, this.draw.pick(["break", "hide"]));
  }

  /** Spots with a repository that can be read. */
  readable(): string[] {
    const isAway = (path: string) => away.some((name) => existsSync(join(path, name)));
    return this.used().filter((path) => !isAway(path));
  }

  label(path: string): string {
    return path.slice(this.read.length + 1);
  }

  remove(): void {
    this.healAll();
    rmSync(this.root, { recursive: true, force: true });
  }

  private drawCommits(count: number): DrawnCommit[] {
    const drawn = Array.from({ length: count }, () => drawCommit(this.draw, ++this.made));
    this.commits.push(...drawn);
    return drawn;
  }

  /** Spots that are free, and neither in a repository nor around one. */
  private free(): string | undefined {
    const used = this.used();
    const isFree = (path: string) =>
      !used.some((other) => `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`));
    const free = spots.map((spot) => join(this.read, spot)).filter(isFree);
    const path = this.draw.pick(free);
    if (path === undefined) return undefined;
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  private name(path: string, name: string): void {
    git(path, "config", "remote.origin.url", `${this.forge}/${name}.git`);
  }

  private push(path: string): void {
    pushCommits(path, this.drawCommits(1 + this.draw.below(3)));
  }

  /** As after a forced push. */
  private rewrite(path: string): void {
    const count = Number(git(path, "rev-list", "--count", "--first-parent", "HEAD").toString());
    git(path, "update-ref", "refs/heads/main", `main~${this.draw.below(count)}`);
    this.push(path);
  }

  private note(path: string): void {
    const commit = this.draw.pick(listCommits(path));
    const [file = "README.md"] = git(path, "show", "--format=", "--name-only", commit)
      .toString()
      .split("\n");
    const text = this.draw.pick([
      () => composeAgentNote(commit, file, "1-1", this.draw.pick(["claude", "codex"])),
      () => composeNote({ base: commit }),
      () => composeAgentNote(commit, file, "1-500"),
      () => "no note",
    ])();
    addNote(path, commit, text);
  }

  private swap(one: string, other: string): void {
    if (one === other) return;
    const between = join(this.root, "between");
    renameSync(one, between);
    renameSync(other, one);
    renameSync(between, other);
  }

  private replace(path: string, by: string): void {
    if (path === by) return;
    // A repository behind a link is kept elsewhere: without the link nothing leads to it.
    if (lstatSync(path).isSymbolicLink()) rmSync(realpathSync(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    renameSync(by, path);
  }

  /** @param by takes the spot that becomes free. */
  private moveAside(path: string, by?: string): void {
    const to = path === by ? undefined : this.free();
    if (!to) return;
    renameSync(path, to);
    if (by) renameSync(by, path);
  }

  private delete(path: string): void {
    if (!lstatSync(path).isSymbolicLink())
      renameSync(path, join(this.root, "trash", String(++this.made)));
  }

  private restore(): void {
    const thrown = this.draw.pick(readdirSync(join(this.root, "trash")).sort());
    const to = thrown === undefined ? undefined : this.free();
    if (thrown && to) renameSync(join(this.root, "trash", thrown), to);
  }

  private link(path: string): void {
    if (lstatSync(path).isSymbolicLink()) return;
    const target = join(this.root, "store", `${++this.made}.git`);
    renameSync(path, target);
    symlinkSync(target, path);
  }

  private clone(from: string): void {
    const to = this.free();
    if (!to) return;
    const url = run(from, ["config", "--default", "", "remote.origin.url"]).toString().trim();
    run(this.root, ["clone", "--quiet", "--mirror", `file://${from}`, to]);
    git(to, "config", "--remove-section", "remote.origin");
    if (url) git(to, "config", "remote.origin.url", url);
  }

  /** Loses all commits, or what its reader may not open. */
  private damage(path: string, kind: string): void {
    if (!this.readable().includes(path)) return;
    if (kind === "break") {
      renameSync(join(path, "objects"), join(path, "objects.away"));
      mkdirSync(join(path, "objects"));
    } else if (process.getuid?.() !== 0) chmodSync(join(path, "objects"), 0);
    else {
      // Root may open everything but what would never end.
      renameSync(join(path, "HEAD"), join(path, "HEAD.away"));
      Bun.spawnSync(["mkfifo", join(path, "HEAD")]);
    }
    if (kind === "hide") mkdirSync(join(path, "hidden"));
  }

  private heal(path: string): void {
    if (existsSync(join(path, "hidden"))) {
      chmodSync(join(path, "objects"), 0o755);
      rmSync(join(path, "hidden"), { recursive: true });
    }
    for (const part of ["HEAD", "objects"]) {
      if (!existsSync(join(path, `${part}.away`))) continue;
      rmSync(join(path, part), { recursive: true });
      renameSync(join(path, `${part}.away`), join(path, part));
    }
  }
}

/** Left where a repository cannot be read until it is healed. */
const away = ["hidden", "HEAD.away", "objects.away"];
