/**
 * After any sequence of pushes, rewritten histories, other notes, removals, decisions, lists, answers of forges and erasures, the pool is the one
 * that reading everything anew gives. Runs that touch only what changed must not be noticed by anybody.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { toSubject } from "../../../src/ingest/forges/accounts.ts";
import type { ReviewedChange } from "../../../src/ingest/forges/forge.ts";
import { freezeForges } from "../../../src/ingest/forges/forge-content.ts";
import { listWalked } from "../../../src/ingest/forges/repositories.ts";
import { findReviewProgress, putReviews } from "../../../src/ingest/forges/reviews.ts";
import { pruneWalk } from "../../../src/ingest/forges/walk-pages.ts";
import type { Walk } from "../../../src/ingest/forges/walks.ts";
import {
  ingestGit,
  ingestPeople,
  listAuthorIdentities,
  openLedger,
  recordDecision,
} from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { isLong } from "../../long.ts";
import { drawSeed } from "../../random.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { describeData, showDifferences } from "./describe-data.ts";
import { type Draw, openDraw, spellings } from "./drawn-commits.ts";
import {
  findPlace,
  type InventedChange,
  type InventedRepository,
  inventCommit,
  storeHistory,
} from "./invented-history.ts";
import { judgeAsOf } from "./opened-data.ts";
import { vocabulary } from "./read.ts";
import { openToldForge } from "./told-forge.ts";

const folder = makeFolder("equality");
const rounds = isLong ? 100 : 8;
const firstDay = 20_000;

/** Two of them with accounts of another forge. */
const authors = spellings
  .with(6, "Ben Sample <12+ben@users.noreply.github.com>" as never)
  .with(-1, "Ben Sample <ben-s@users.noreply.github.com>" as never);

interface World {
  readonly repositories: Map<string, InventedRepository>;
  asOf: string;
}

function drawChange({ chance, below, pick }: Draw): InventedChange {
  const author = pick(authors);
  return {
    author,
    // A mailmap gives some commits another address.
    rawEmail: chance(0.1) ? `old-${below(4)}@corp.example` : undefined,
    day: firstDay + below(300),
    subject: pick(["Add the parser", "Fix a bug because it was wrong", "feat: print help", "v1"]),
    paths: chance(0.1) ? ["README.md"] : [`src/${below(5)}.go`],
    coAuthors: chance(0.15) ? [pick(authors)] : [],
    reviewers: chance(0.2) ? [pick(authors)] : [],
    isAssisted: chance(0.1),
    isMerge: chance(0.15),
  };
}

/** Some notes more or others, also on commits of other histories, or none. */
function drawNotes(
  { chance, below, pick }: Draw,
  { commits, notes }: InventedRepository,
): NonNullable<InventedRepository["notes"]> {
  if (chance(0.2)) return new Map();
  const drawn = new Map(notes);
  for (let at = below(4); at >= 0; at--) {
    const sha = chance(0.1) ? "f".repeat(40) : pick(commits).sha;
    if (chance(0.2)) drawn.delete(sha);
    else drawn.set(sha, pick([{}, {}, { claude: 3 }, { claude: 1, cursor: 2 }]));
  }
  return drawn;
}

/** A pool with its ledgers, in memory. */
function openData() {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const now = () => new Date(time++);
  const pool = openSqlitePool(":memory:", { now });
  const ledger = openLedger(":memory:", { version: "test", now });
  const { forges, tell: tellForge, openFiles } = openToldForge();
  const ingest = (asOf: string, forgetting: readonly number[] = [], anew = false) =>
    ingestGit({
      ...{ paths: [], pool, ledger, vocabulary, asOf, modelVersion: "1", judge: judgeAsOf(asOf) },
      files: openFiles(),
      ...{ canRemoveMany: true, forgetting, anew },
    });
  const close = async () => {
    await pool.close();
    ledger.close();
    forges.close();
  };
  return { pool, ledger, forges, tellForge, openFiles, ingest, close };
}

type Data = ReturnType<typeof openData>;

type Suppression = Awaited<ReturnType<Data["pool"]["erasing"]["suppressionList"]>>;

/** One account, with other words in each round of answers. */
async function answer({ tellForge, pool }: Data, round: number): Promise<void> {
  const { isSuppressed } = await pool.erasing.suppression();
  const addresses = [["ada@corp.example"], ["ada.example@home.example"], ["cy@list.example"], []];
  const accounts = [
    {
      ...{ number: "1", login: round % 2 === 0 ? "ada" : "ada-new", isBot: false },
      profile: { name: "Ada Example", location: `Town ${round}` },
      addresses: (addresses[round % 4] ?? []).map((address) => ({ address, isPublished: true })),
    },
    {
      ...{ number: "2", login: "ben", isBot: round % 5 === 4, profile: {} },
      addresses: [{ address: "ben@corp.example", isPublished: false }],
    },
  ];
  const repositories = ["ada", "corp"].flatMap((owner) =>
    ["one", "two", "three"].map((name, at) => ({
      ...{ number: `${owner} ${name}`, name: `${owner}/${name}`, isFork: false },
      owner: owner === "ada" ? "1" : undefined,
      urls: [`https://git.corp.example/${owner}/${name}.git`],
      stars: round,
      description: descriptions[(round + at) % descriptions.length],
      topics: round % 3 === 0 ? ["django"] : [],
    })),
  );
  const tellReviews = (walk: Walk) => {
    for (const { number } of listWalked(walk)) {
      if (!findReviewProgress(walk, number)) continue;
      const changes = ["1", "2"].map((change, at) =>
        toReviewed(change, round + at + number.length),
      );
      putReviews(walk, number, changes, { until: "2026-01-01T00:00:00Z" });
    }
    pruneWalk(walk);
  };
  const isHidden = (account: Parameters<typeof toSubject>[0]) => isSuppressed(toSubject(account));
  tellForge({ accounts, repositories }, isHidden, tellReviews);
}

/** Reviewed by one of the accounts, by both or by nobody, on other days and with other files. */
function toReviewed(number: string, turn: number): ReviewedChange {
  const day = `2025-0${1 + (turn % 9)}-10`;
  return {
    ...{ number, updatedAt: `${day}T00:00:00Z`, commits: ["a".repeat(40)], files: 1 + (turn % 3) },
    paths: [`src/${turn % 5}.go`, "nobody/has/it.go"],
    reviews: ["1", "2", "99"]
      .filter((_, at) => (turn >> at) % 2 === 0)
      .map((reviewer) => ({
        ...{ reviewer, verdict: turn % 2 === 0 ? "approved" : "changesRequested", day },
      })),
  };
}

/** The vocabulary of these tests knows one subject. */
const descriptions = ["Servers for django.", "Games.", undefined, "A django for games."];

const steps =
  "push push push fork pick rewrite note note remove merge split undo answer list day run run forget answer".split(
    " ",
  );

async function play(
  seed: number,
): Promise<{ data: Data; world: World; told: string[]; answers: Suppression[] }> {
  const draw = openDraw(seed);
  const data = openData();
  const world: World = { repositories: new Map(), asOf: "2025-12-01" };
  const told: string[] = [];
  const answers: Suppression[] = [];
  let made = 0;
  const store = () => {
    for (const repository of world.repositories.values()) storeHistory(data.ledger, repository);
  };
  const push = (name: string, changes: number) => {
    const before = world.repositories.get(name) ?? {
      name,
      owner: draw.pick([undefined, "ada", "corp"]),
      commits: [],
    };
    const commits = [...before.commits];
    for (let at = 0; at < changes; at++)
      commits.push(inventCommit(drawChange(draw), `${name} ${made++}`));
    world.repositories.set(name, { ...before, commits });
  };
  push("one", 6);
  push("two", 4);
  store();
  await data.ingest(world.asOf);
  const length = 4 + draw.below(10);
  for (let at = 0; at < length; at++) {
    const step = draw.pick(steps);
    const name = draw.pick([...world.repositories.keys(), "three"]);
    const repository = world.repositories.get(name);
    told.push(`${step} ${name}`);
    if (step === "push") push(name, 1 + draw.below(4));
    else if (step === "fork" && repository) {
      const fork = `${name}-fork`;
      world.repositories.set(fork, {
        ...repository,
        name: fork,
        commits: repository.commits.slice(0, 1 + draw.below(repository.commits.length)),
      });
      push(fork, draw.below(3));
    } else if (step === "pick" && repository) {
      // The same change in another commit.
      const picked = draw.pick(repository.commits);
      const target = world.repositories.get(draw.pick([...world.repositories.keys()]));
      if (target) {
        const copy = { ...picked, sha: inventCommit(drawChange(draw), `pick ${made++}`).sha };
        world.repositories.set(target.name, { ...target, commits: [...target.commits, copy] });
      }
    } else if (step === "rewrite" && repository && repository.commits.length > 1) {
      const commits = repository.commits.slice(0, draw.below(repository.commits.length - 1) + 1);
      world.repositories.set(name, { ...repository, commits });
      push(name, 1);
    } else if (step === "note" && repository) {
      world.repositories.set(name, { ...repository, notes: drawNotes(draw, repository) });
    } else if (step === "remove" && repository && world.repositories.size > 1) {
      const place = findPlace(data.ledger, `/invented/${repository.owner ?? ""}/${name}`);
      world.repositories.delete(name);
      if (place) await data.ingest(world.asOf, [place.id]);
    } else if (step === "merge" || step === "split") {
      store();
      const sources = { ...data, files: data.openFiles(), asOf: world.asOf };
      const [a, b] = [draw.pick(authors), draw.pick(authors)];
      const request = { a, b, reason: undefined, by: "operator" };
      await recordDecision(sources, step, request).catch(() => {});
    } else if (step === "undo") {
      const [decision] = await data.pool.decisions.list();
      if (decision) await data.pool.decisions.undo(decision.id);
    } else if (step === "answer") {
      answers.push(await data.pool.erasing.suppressionList());
      await answer(data, answers.length - 1);
    } else if (step === "list") {
      await tell(data);
    } else if (step === "day") {
      world.asOf = `2025-${String(1 + draw.below(12)).padStart(2, "0")}-15`;
    } else if (step === "run") {
      store();
      await data.ingest(world.asOf);
    } else if (step === "forget") {
      const login = draw.pick(await data.pool.logins());
      if (login === undefined) continue;
      told.push(`(${login})`);
      await forget(data, login);
    }
  }
  store();
  await data.ingest(world.asOf);
  return { data, world, told, answers };
}

/** Suppresses what `roster forget` does; the ledger is left to the next run. */
async function forget(data: Data, login: string): Promise<void> {
  const { pool, ledger } = data;
  const forges = freezeForges(data.forges);
  const files = { aliasFile: undefined, classFile: undefined, names: "repository" as const };
  const identities = await listAuthorIdentities({ pool, ledger, forges, files }, [login]);
  await pool.erasing.hide(login, {
    alsoLogins: identities.flatMap(({ loginAlone }) => loginAlone ?? []),
    alsoAddresses: identities.flatMap(({ ownAddresses }) => ownAddresses),
    alsoAuthors: identities.flatMap(({ namedAddress }) => namedAddress ?? []),
  });
}

const list = join(folder, "list.csv");
await Bun.write(list, "email,location\nada@corp.example,Berlin\nben.sample@home.example,Oslo\n");

/** @returns false when the list is refused, as one that means nobody any more is; then what the last one told stands. */
async function tell({ pool }: Data): Promise<boolean> {
  const told = ingestPeople(list, "csv", { pool, judge: judgeAsOf, source: "hr" });
  return told.then(
    () => true,
    () => false,
  );
}

/** A pool into which everything is read that is known at the end, in another order. */
async function readAnew({ data, world, answers }: Awaited<ReturnType<typeof play>>): Promise<Data> {
  const fresh = openData();
  for (const { id: _, at: __, ...decision } of await data.pool.decisions.list()) {
    await fresh.pool.decisions.add(decision);
  }
  // Who is on the list leaves no trace of former logins and clones: each answer meets the list as it was.
  for (const [round, suppression] of answers.entries()) {
    await fresh.pool.erasing.adopt(suppression);
    await answer(fresh, round);
  }
  await fresh.pool.erasing.adopt(await data.pool.erasing.suppressionList());
  for (const repository of [...world.repositories.values()].reverse()) {
    storeHistory(fresh.ledger, repository);
  }
  await fresh.ingest(world.asOf);
  return fresh;
}

test("runs that touch what changed end where reading everything anew ends", async () => {
  const seed = drawSeed("equality");
  let compared = 0;
  for (let round = 0; round < rounds; round++) compared += (await compare(seed + round)) ? 1 : 0;
  expect(compared).toBeGreaterThan(rounds / 2);
});

/** Seeds that once failed, and why. */
const failedOnce = [
  [20_082, "the test itself read old answers anew without the list of the forgotten"],
  [149_293_823, "an account kept the former login of somebody forgotten on another server"],
  [149_293_886, "a repository went on naming somebody by a former login"],
  [15_299, "who is in which repository was no input of who is one person"],
  [333_417, "a pool that had an erasure did not adopt what it had gained since"],
  [1_176_867_889, "a mailmap's generic address kept apart people whom nothing else links"],
  [68_300_860, "a count outside a run hid new commits of somebody forgotten from the next run"],
  [56, "a copy that two repositories contain was a clone of the one that was read first"],
] as const;

test.each(failedOnce)("seed %d, which failed once: %s", async (seed) => {
  expect(await compare(seed)).toBe(true);
});

/** @returns false when both sides cannot be compared, because the list of people was refused. */
async function compare(seed: number): Promise<boolean> {
  const played = await play(seed);
  const fresh = await readAnew(played);
  const { data, world, told } = played;
  const isTold = await tell(data);
  await tell(fresh);
  const [one, other] = [await describeData(data), await describeData(fresh)];
  if (isTold && one !== other)
    throw new Error(
      `TEST_SEED=${seed} differs after: ${told.join(", ")}\n${showDifferences(one, other)}`,
    );
  await data.ingest(world.asOf, [], true);
  expect(await describeData(data)).toBe(one);
  await data.close();
  await fresh.close();
  return isTold;
}
