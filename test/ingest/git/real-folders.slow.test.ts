/**
 * After any sequence of moves, copies, replacements, damages and rewritten histories of real folders, and of decisions, erasures and
 * answers of a forge between runs, a data folder shows what one shows that reads the folders anew. Everything goes through commands.
 */
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "../../../src/pool/pool.ts";
import { isLong } from "../../long.ts";
import { FollowedCopy } from "../../pool/followed-copy.ts";
import { drawSeeds } from "../../random.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { type InventedForge, inventForge } from "../forges/invented-forge.ts";
import { giteaArguments } from "../forges/program.ts";
import { showDifferences } from "./describe-data.ts";
import { firstDay, spellings } from "./drawn-commits.ts";
import { FolderWorld } from "./folder-world.ts";
import { git } from "./invented-repository.ts";
import { listCommits } from "./notes/invented-notes.ts";
import { openRosterFolder, type RosterFolder } from "./roster-folder.ts";

const folder = makeFolder("folders");
const rounds = isLong ? 100 : 2;

const kinds = "day forget forget allow leave merge split undo answer list anew".split(" ");

class Round {
  readonly world: FolderWorld;
  readonly data: RosterFolder;
  readonly list: string;
  /** What was on the list of the forgotten at each answer of the forge. */
  private readonly answers: Awaited<ReturnType<Pool["erasing"]["suppressionList"]>>[] = [];
  /** Remotes and first commits of what was read, by path and newest commit. */
  private readonly origins = new Map<string, { readonly remote: string; readonly root: string }>();
  /** Copies elsewhere, of an administrator and of a program, that are told the changes alone. */
  private readonly copies = [new FollowedCopy(true, false), new FollowedCopy(false, false)];
  private readonly forge: InventedForge;
  private day = Date.parse(`${firstDay}T12:00:00Z`);

  constructor(seed: number, forge: InventedForge) {
    this.forge = forge;
    this.world = new FolderWorld(seed, folder, forge.url);
    this.data = openRosterFolder(this.now);
    this.list = join(this.world.root, "hr.csv");
    const rows = ["email,location", "ada@corp.example,Berlin", "ben.sample@home.example,Oslo"];
    writeFileSync(this.list, rows.map((row) => `${row}\n`).join(""));
  }

  private readonly now = () => new Date(this.day);

  /** @throws where reading anew shows something else. */
  async play(): Promise<boolean> {
    const { world, data } = this;
    for (let at = 0; at < 3; at++) world.create();
    for (let at = 0; at < 5; at++) {
      await this.run();
      for (let more = world.draw.below(3); more >= 0; more--) {
        if (world.draw.chance(0.7)) world.act();
        else await this.decide();
      }
    }
    world.healAll();
    if (world.used().length === 0) world.create();
    await this.run();
    // What is gone counts until the operator forgets it.
    for (const path of await this.findGone()) {
      await data.call([0], "ingest", "forget", path, "--allow-removals");
    }
    // A repository behind a link that is gone has the path of the one that is there now, and both are forgotten.
    await this.run();
    if (this.answers.length > 0) await this.answer();
    const isTold = await this.tell(data);
    const fresh = await this.readAnew();
    await this.tell(fresh);
    const [runs, anew] = [await data.describe(), await fresh.describe()];
    if (isTold && runs !== anew) throw new Error(showDifferences(runs, anew));
    if (world.draw.chance(0.3)) {
      await data.ingest("--anew", world.read);
      expect(showDifferences(await data.describe(), runs)).toBe("");
    } else await this.checkAway();
    for (const one of [data, fresh]) one.close();
    world.remove();
    return isTold;
  }

  private async run(): Promise<void> {
    await this.data.ingest(this.world.read);
    this.world.told.push("run");
    await this.checkPlaces();
    await this.data.readPool(async (pool) => {
      for (const copy of this.copies) {
        await copy.readAll(pool, 3);
        await copy.expectWhole(pool, this.world.told);
      }
    });
  }

  /** What cannot be read any more counts as it did. */
  private async checkAway(): Promise<void> {
    const { data, world } = this;
    const before = await data.exportAll();
    world.damageAll();
    await data.call([3], "ingest", "git", world.read);
    expect(await data.exportAll()).toEqual(before);
  }

  /** Something that an operator does between two runs. */
  private async decide(): Promise<void> {
    const { data, world } = this;
    const { draw } = world;
    const kind = draw.pick(kinds);
    world.told.push(kind);
    // As whoever decides has them: some do not exist, or may not be joined.
    const [one, other] = [draw.pick(spellings), draw.pick(spellings)];
    if (kind === "day") this.day += 86_400_000 * (1 + draw.below(60));
    else if (kind === "merge" || kind === "split") {
      await data.call([0, 2, 3, 4], "identity", kind, one, other);
    } else if (kind === "undo") await this.undo();
    else if (kind === "forget") await this.forget();
    else if (kind === "allow") await this.allow();
    else if (kind === "leave") await this.leave();
    else if (kind === "answer") await this.answer();
    else if (kind === "list") await this.tell(data);
    else await data.ingest("--anew", world.read);
  }

  private async forget(): Promise<void> {
    const logins = await this.data.readPool((pool) => pool.logins());
    const login = this.world.draw.pick(logins);
    this.world.told.push(`(${login})`);
    if (login) await this.data.call([0], "forget", login, "--yes");
  }

  /** Takes the latest erasure back. */
  private async allow(): Promise<void> {
    const { receipts } = JSON.parse(await this.data.call([0], "forget", "--list", "--json"));
    if (receipts.length === 0) return;
    await this.noteErased(receipts[0].id);
    await this.data.call([0], "forget", "--undo", receipts[0].id);
  }

  /** An erasure has taken away what earlier answers of the forge left of the person, also when it is undone. */
  private async noteErased(receipt: string): Promise<void> {
    const { salts, erasures } = await this.data.readPool((pool) => pool.erasing.suppressionList());
    const active = erasures.filter(({ id, undoneAt }) => id === receipt && !undoneAt);
    for (const [at, known] of this.answers.entries()) {
      const others = known.erasures.filter(({ id }) => active.every((one) => one.id !== id));
      this.answers[at] = { salts, erasures: [...others, ...active] };
    }
  }

  private async undo(): Promise<void> {
    const [made] = await this.data.readPool((pool) => pool.decisions.list());
    if (made) await this.data.call([0], "identity", "undo", made.id);
  }

  /** Forgets a repository, also one that the next run reads again. */
  private async leave(): Promise<void> {
    const { path } = this.world.draw.pick(await this.data.list()) ?? {};
    if (path) await this.data.call([0], "ingest", "forget", path, "--allow-removals");
  }

  /**
   * The forge tells of two accounts, with other words each time. It tells of no reviews: those are kept of the repositories that were
   * counted when they were asked for, which reading anew cannot repeat.
   */
  private async answer(data = this.data, at = this.answers.length): Promise<void> {
    if (data === this.data) {
      this.answers.push(await data.readPool((pool) => pool.erasing.suppressionList()));
    }
    const { accounts, repositories, url } = this.forge;
    const ada = { login: at % 2 === 0 ? "ada" : "ada-new", name: "Ada Example" };
    accounts.set(1, { ...ada, email: "ada@corp.example", location: `Town ${at}` });
    accounts.set(2, { login: "ben", location: "Oslo" });
    repositories.set(1, { owner: 1, name: "one", stars: at });
    repositories.set(2, { owner: 2, name: "two", stars: 3 });
    repositories.set(3, { owner: 1, name: "three", stars: at });
    await data.call([0], ...giteaArguments(this.world.root, url, "secret-token"));
  }

  /** @returns false when the list is refused, as one that means nobody any more is; then what the last one told stands. */
  private async tell(data: RosterFolder): Promise<boolean> {
    const told = await data.call([0, 3], "ingest", "people", this.list, "--source", "hr", "--json");
    return !("error" in JSON.parse(told));
  }

  /** A folder into which everything is read that is known at the end, in another order. */
  private async readAnew(): Promise<RosterFolder> {
    const { data, world } = this;
    const fresh = openRosterFolder(this.now);
    const decisions = await data.readPool((pool) => pool.decisions.list());
    await fresh.readPool(async (pool) => {
      for (const { id: _, at: __, ...decision } of decisions) await pool.decisions.add(decision);
    });
    // Who is on the list leaves no trace of former logins: each answer meets the list as it was.
    for (const [at, list] of this.answers.entries()) {
      await fresh.readPool((pool) => pool.erasing.adopt(list));
      await this.answer(fresh, at);
    }
    const list = await data.readPool((pool) => pool.erasing.suppressionList());
    await fresh.readPool((pool) => pool.erasing.adopt(list));
    await fresh.ingest(world.used().at(-1) ?? "");
    await fresh.ingest(world.read);
    return fresh;
  }

  /** What is listed as read is what can be read, each path once. */
  private async checkPlaces(): Promise<void> {
    const { world, data } = this;
    const rows = await data.list();
    const readable = world.readable();
    for (const path of readable) {
      const ask = (...command: string[]) =>
        git(path, ...command)
          .toString()
          .trim();
      this.origins.set(`${path} ${ask("rev-parse", "HEAD")}`, {
        remote: ask("config", "--default", "", "remote.origin.url"),
        root: ask("rev-list", "--max-parents=0", "HEAD"),
      });
    }
    const read = rows.filter(({ state }) => state === "read").map(({ path }) => path);
    expect(read.sort()).toEqual(readable.sort());
    this.checkGhosts(rows);
  }

  /** What is read elsewhere now is not listed where it was: with the same remote and first commit or, if it had no remote, all of it. */
  private checkGhosts(rows: Awaited<ReturnType<RosterFolder["list"]>>): void {
    const originOf = ({ path, tip }: (typeof rows)[number]) =>
      this.origins.get(`${path.replace(" (replaced)", "")} ${tip}`);
    const living = rows.filter(({ state }) => state === "read");
    const isElsewhere = (ghost: (typeof rows)[number]) => {
      const origin = originOf(ghost);
      return living.some((one) =>
        origin?.remote
          ? Bun.deepEquals(originOf(one), origin)
          : listCommits(one.path).includes(ghost.tip),
      );
    };
    const ghosts = rows.filter(({ state, path }) => state !== "read" && !existsSync(path));
    expect(ghosts.filter(isElsewhere)).toEqual([]);
  }

  private async findGone(): Promise<ReadonlySet<string>> {
    const rows = await this.data.list();
    return new Set(rows.flatMap(({ state, path }) => (state === "read" ? [] : [path])));
  }
}

test("whatever happens to folders between runs, everything shown is as if they were read anew", async () => {
  // With these a name stayed away after an erasure was undone, two stayed apart after a repository was renamed, and an erasure reached
  // whom an earlier joining had joined. With the last one, a repository that moved and got a remote was still listed where it was.
  const known = [600_047, 600_180, 830_507, 730_722, 830_603, 830_379, 202_285_465];
  const [seed = 1, ...failedOnce] = drawSeeds("folders", known);
  await using forge = inventForge();
  const seeds = [...Array.from({ length: rounds }, (_, round) => seed + round), ...failedOnce];
  let compared = 0;
  for (const drawn of seeds) {
    const played = new Round(drawn, forge);
    const isCompared = await played.play().catch((error: Error) => {
      error.message = `TEST_SEED=${drawn} after ${played.world.told.join(", ")}: ${error.message}`;
      throw error;
    });
    if (isCompared) compared += 1;
  }
  expect(compared).toBeGreaterThanOrEqual(seeds.length / 4);
}, 1_800_000);
