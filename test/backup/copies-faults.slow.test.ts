/**
 * Histories of backups and their copies, with faults that are drawn: the place is full, away, slow, silent, cut at some byte or refuses
 * the key, its disk or that of the backups is full, the clock jumps, and the process is killed. After each run nothing that was
 * copied and that the terms keep is lost, and nothing half counts as a copy. At the end, the copies catch up.
 */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { findBuiltStorage } from "../../scripts/storing/storage-server.ts";
import { openArchive, unpackArchive } from "../../src/backup/backup.ts";
import type { KeepTerms } from "../../src/backup/retention.ts";
import { canMount, createSmallDisks, type SmallDisk } from "../faults/small-disk.ts";
import { rounds } from "../long.ts";
import { createRandom, drawSeeds } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";
import { type CopyingOrder, type CopyingReport, copyingChild } from "./copying-child.ts";
import {
  type CommandPlaceWorld,
  type DrawnFault,
  leaveFree,
  listFiles,
  openCommandPlace,
  openS3Place,
  type S3PlaceWorld,
} from "./faulty-places.ts";
import { fillFolder } from "./folder.ts";
import { hasStorage } from "./real-storage.ts";

const newFolder = temporaryFolders();
const newDisk = createSmallDisks();
const filled = makeFolder("copied");
/** Bytes of the data that cannot be compressed, so that a cut falls within an archive. */
const ballast = 400_000;
const size = 550_000;
const silentMs = 500;
/** Long enough for the busiest machine: for a child that hangs. */
const patienceMs = 120_000;
const runsInHistory = 8;
const hourMs = 3_600_000;

const prepare = (() => {
  let data: Promise<string> | undefined;
  return () =>
    (data ??= fillFolder(filled).then((made) => {
      const sqlite = new Database(join(made.data, "pool.db"));
      sqlite.run("CREATE TABLE ballast (bytes BLOB)");
      sqlite.run("INSERT INTO ballast VALUES (randomblob(?))", [ballast]);
      sqlite.close();
      return made.data;
    }));
})();

type World = CommandPlaceWorld | S3PlaceWorld;

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

interface Archive {
  readonly name: string;
  readonly sequence: number;
  readonly madeAt: Date;
  readonly isScheduled: boolean;
}

const weekOf = (at: Date) => {
  const monday = new Date(at);
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
};
const periodsOf = ({ keepDaily, keepWeekly, keepMonthly }: KeepTerms) =>
  [
    [keepDaily, (at: Date) => at.toISOString().slice(0, 10)],
    [keepWeekly, weekOf],
    [keepMonthly, (at: Date) => at.toISOString().slice(0, 7)],
  ] as const;

/** Whether the terms let an archive go, read from the manual anew and not from the program. */
function mayGo(archive: Archive, all: readonly Archive[], terms: KeepTerms): boolean {
  const newer = all.filter(
    (one) =>
      one.isScheduled === archive.isScheduled &&
      (one.sequence > archive.sequence ||
        (one.sequence === archive.sequence && one.madeAt > archive.madeAt)),
  );
  if (newer.length < terms.keep) return false;
  return periodsOf(terms).every(([count, periodOf]) => {
    const own = periodOf(archive.madeAt);
    const later = new Set(newer.map(({ madeAt }) => periodOf(madeAt)));
    return later.has(own) || later.size >= count;
  });
}

const timeOf = (name: string) => {
  const [, day, hour, minute, second] = /(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  return new Date(`${day}T${hour}:${minute}:${second}Z`);
};

/** What a history knows. */
interface Known {
  /** The archives that were ever in the folder of backups, each with its hash. */
  readonly own: Map<string, Archive & { readonly hash: string }>;
  /** The copies that were ever verified, by their names there. */
  readonly copied: Map<string, Archive>;
  /** Files there that were seen to be no archive, by name and size. */
  readonly refused: Set<string>;
}

/** @param name of a copy. @returns with the name of its origin in the folder of backups. */
function parseCopy(name: string): Archive & { readonly plain: string } {
  const [, sequence, time, rest = ""] = /^roster-\w{8}-(\d+)-([\dT-]+Z)(.*)$/.exec(name) ?? [];
  return {
    ...{ name, sequence: Number(sequence), madeAt: timeOf(name) },
    isScheduled: !rest.startsWith("-manual"),
    plain: `roster-${time}${rest.replace(/\.age$/, "")}`,
  };
}

const isArchive = (name: string) => /^roster-.*\.tar\.zst(\.age)?$/.test(name);

interface HistoryParts {
  readonly world: World;
  readonly folder: string;
  readonly identity: string;
  readonly terms: KeepTerms;
  readonly copyTerms: KeepTerms;
  readonly known: Known;
}

/** The folder of backups: each archive is whole, and none is gone that the terms keep. */
async function requireOwn({ folder, terms, known }: HistoryParts, where: string): Promise<void> {
  const there = listFiles(folder).filter(isArchive);
  for (const name of there) {
    if (known.own.has(name)) continue;
    const path = join(folder, name);
    const unpacked = newFolder();
    await unpackArchive(path, unpacked);
    rmSync(unpacked, { recursive: true });
    const { audit } = await openArchive(path);
    known.own.set(name, {
      ...{ name, sequence: audit?.sequence ?? 0, madeAt: timeOf(name) },
      isScheduled: !name.includes("-manual"),
      hash: sha256(readFileSync(path)),
    });
  }
  for (const [name, archive] of known.own) {
    if (there.includes(name))
      expect(sha256(readFileSync(join(folder, name))), `${where}: ${name}`).toBe(archive.hash);
    else
      expect(mayGo(archive, [...known.own.values()], terms), `${where}: ${name} may go`).toBe(true);
  }
}

/** The place: each copy that counts is the archive of the folder, and none is gone that the terms keep. */
async function requireCopies(parts: HistoryParts, where: string): Promise<void> {
  const { world, known, copyTerms } = parts;
  const there = listFiles(world.folder);
  for (const name of there.filter(isArchive)) {
    const isCounted = there.includes(`${name}.sha256`) && sizeOf(world, `${name}.sha256`) > 0;
    const read = await readCopy(parts, name);
    if (isCounted) {
      const { plain, ...archive } = parseCopy(name);
      const { hash = "unknown" } = known.own.get(plain) ?? {};
      expect(read && sha256(read), `${where}: ${name} counts, and is whole`).toBe(hash);
      known.copied.set(name, archive);
    } else await requireRefused(parts, name, read, where);
  }
  for (const [name, archive] of known.copied) {
    if (there.includes(name) && there.includes(`${name}.sha256`)) continue;
    const isRight = mayGo(archive, [...known.copied.values()], copyTerms);
    expect(isRight, `${where}: the copy ${name} may go`).toBe(true);
  }
}

const sizeOf = ({ folder }: World, name: string) => statSync(join(folder, name)).size;

/** @returns the archive; undefined where it cannot be decrypted. */
async function readCopy({ world, identity }: HistoryParts, name: string) {
  const bytes = readFileSync(join(world.folder, name));
  if (!name.endsWith(".age")) return bytes;
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(bytes).catch(() => undefined);
}

/** What is half cannot be restored as whole. */
async function requireRefused(
  { world, known }: HistoryParts,
  name: string,
  read: Uint8Array | undefined,
  where: string,
): Promise<void> {
  const hashes = [...known.own.values()].map(({ hash }) => hash);
  // An upload to S3 is whole or absent, also if its sender was killed. Only the fuller server keeps to that when it is full.
  const isHalf = read === undefined || !hashes.includes(sha256(read));
  if (world.kind === "s3" && findBuiltStorage())
    expect(isHalf, `${where}: ${name} is half`).toBe(false);
  const id = `${name} ${read?.length}`;
  if (read === undefined || !isHalf || known.refused.has(id)) return;
  known.refused.add(id);
  const folder = newFolder();
  const file = join(folder, "half");
  writeFileSync(file, read);
  const fault = await unpackArchive(file, folder).catch((error: unknown) => error as Error);
  expect(fault, `${where}: ${name} is refused`).toBeInstanceOf(Error);
}

interface Run {
  readonly order: CopyingOrder;
  readonly fault: DrawnFault | undefined;
  readonly ownFreeBytes: number | undefined;
  readonly killAfterMs: number | undefined;
  readonly where: string;
}

/** @returns undefined if the child was killed. */
async function perform(run: Run, disk: SmallDisk | undefined): Promise<CopyingReport | undefined> {
  const { order, fault, ownFreeBytes, killAfterMs, where } = run;
  const file = join(newFolder(), "order.json");
  writeFileSync(file, JSON.stringify(order));
  const free = disk && ownFreeBytes !== undefined && leaveFree(disk.folder, ownFreeBytes);
  await fault?.begin();
  const child = Bun.spawn([process.execPath, copyingChild, file], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  let said = "";
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(kill, patienceMs);
  const decoder = new TextDecoder();
  for await (const bytes of child.stdout) {
    said += decoder.decode(bytes, { stream: true });
    if (killAfterMs === undefined || !said.startsWith("begun\n")) continue;
    clearTimeout(timer);
    timer = setTimeout(kill, killAfterMs);
  }
  await child.exited;
  clearTimeout(timer);
  await fault?.end();
  if (free) free();
  const isReported = said.endsWith("}\n");
  if (isKilled && killAfterMs !== undefined && !isReported) return undefined;
  expect(isKilled && !isReported, `${where}: it hangs`).toBe(false);
  expect(child.exitCode ?? 0, `${where}: ${await errors}`).toBe(0);
  return JSON.parse(said.split("\n")[1] ?? "") as CopyingReport;
}

interface Tally {
  readonly runs: Map<string, number>;
  readonly add: (what: string) => void;
}

function createTally(): Tally {
  const runs = new Map<string, number>();
  return { runs, add: (what) => void runs.set(what, (runs.get(what) ?? 0) + 1) };
}

async function runHistory(openWorld: () => Promise<World>, seed: number, tally: Tally) {
  const random = createRandom(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const world = await openWorld();
  const disk = canMount ? newDisk(24) : undefined;
  const folder = join(disk?.folder ?? newFolder(), "backups");
  mkdirSync(folder);
  const data = join(newFolder(), "data");
  cpSync(await prepare(), data, { recursive: true });
  const identity = await generateX25519Identity();
  const recipients = random() < 0.5 ? [await identityToRecipient(identity)] : [];
  const drawTerms = (): KeepTerms => ({
    ...{ keep: whole(1, 3), keepDaily: whole(0, 2), keepWeekly: whole(0, 2) },
    keepMonthly: whole(0, 1),
  });
  const [terms, copyTerms] = [drawTerms(), drawTerms()];
  const known: Known = { own: new Map(), copied: new Map(), refused: new Set() };
  const parts: HistoryParts = { world, folder, identity, terms, copyTerms, known };
  let clock = Date.parse("2026-11-22T10:11:12.000Z");
  const openPlace = (fault?: DrawnFault): CopyingOrder["place"] => {
    if (world.kind === "command") return { commands: world.commands };
    const { endpoint, region, keyId, secret, bucket } = world;
    const used = fault?.wrong === "key" ? "another secret" : secret;
    const access = { endpoint, region, keyId, secret: used };
    return { bucket: fault?.wrong === "bucket" ? "elsewhere" : bucket, access };
  };
  const draw = (run: number, isClean: boolean): Run => {
    clock += whole(1, 40) * hourMs;
    const jumpMs = random() < 0.25 ? whole(-400, 400) * 24 * hourMs : 0;
    // Some jumps last, others are set right before the next run.
    if (random() < 0.3) clock += jumpMs;
    const fault = !isClean && random() < 0.7 ? world.draw(random, size) : undefined;
    const ownFreeBytes = !isClean && random() < 0.12 ? whole(0, 3 * size) : undefined;
    const killAfterMs = !isClean && random() < 0.4 ? whole(0, 900) : undefined;
    const now = new Date(clock + jumpMs).toISOString();
    const by = random() < 0.7 ? "server" : "acct_boss";
    const words = [
      ...[`seed ${seed}, run ${run} at ${now} by ${by}`, fault?.words ?? "no fault"],
      ...(ownFreeBytes === undefined ? [] : [`own disk full but for ${ownFreeBytes}`]),
      ...(killAfterMs === undefined ? [] : [`killed after ${killAfterMs} ms`]),
    ];
    return {
      order: {
        ...{ data, folder, now, by, terms, copy: copyTerms, recipients, isClean },
        // Where nothing fails, a busy machine may take its time.
        silentMs: isClean ? patienceMs : silentMs,
        place: openPlace(fault),
      },
      ...{ fault, ownFreeBytes, killAfterMs, where: words.join("; ") },
    };
  };
  for (let run = 0; run < runsInHistory; run++) {
    const isClean = run === runsInHistory - 1;
    const drawn = draw(run, isClean);
    const report = await perform(drawn, disk);
    await requireOwn(parts, drawn.where);
    await requireCopies(parts, drawn.where);
    const kind = drawn.fault?.words.split(" ")[0] ?? "none";
    const jump = drawn.killAfterMs !== undefined && report === undefined ? ", killed" : "";
    tally.add(`${kind}${drawn.ownFreeBytes === undefined ? "" : ", own disk full"}${jump}`);
    if (isClean) requireCaughtUp(parts, report, `${drawn.where} (the last)`);
  }
  await world.stop();
}

/** Once nothing fails any more, each archive that both sides keep is copied, and nothing half is left. */
function requireCaughtUp(
  { folder, world, copyTerms, known }: HistoryParts,
  report: CopyingReport | undefined,
  where: string,
): void {
  const said = JSON.stringify(report);
  expect(report?.fault, `${where}: ${said}`).toBeUndefined();
  expect(report?.states[0]?.warning, `${where}: ${said}`).toBeUndefined();
  const own = [...known.own.values()].filter(({ name }) => existsSync(join(folder, name)));
  const there = listFiles(world.folder);
  const copied = [...known.copied.values()];
  const everywhere = [...copied, ...own];
  for (const archive of own) {
    if (mayGo(archive, everywhere, copyTerms)) continue;
    const copy = copied.find(
      ({ sequence, madeAt }) =>
        sequence === archive.sequence && madeAt.getTime() === archive.madeAt.getTime(),
    );
    expect(copy && there.includes(copy.name), `${where}: ${archive.name} was copied`).toBe(true);
  }
  // What lost its origin before it was read back stays as long as an archive of its age, and counts as none.
  const unread = there.filter((name) => isArchive(name) && !there.includes(`${name}.sha256`));
  const all = there.filter(isArchive).map(parseCopy);
  for (const name of unread) {
    const hasOrigin = own.some((one) => one.name === parseCopy(name).plain);
    const isLeft = hasOrigin || mayGo(parseCopy(name), all, copyTerms);
    expect(isLeft, `${where}: ${name} is left without a need`).toBe(false);
  }
  const drafts = readdirSync(folder).filter((name) => name.startsWith(".roster-backup"));
  expect(drafts, `${where}: nothing is left beside the backups`).toEqual([]);
}

const kinds = [
  [
    "commands",
    async () => openCommandPlace(newFolder(), canMount ? newDisk(24).folder : undefined),
  ],
  ...(hasStorage
    ? ([["S3", () => openS3Place(canMount ? newDisk(24).folder : undefined)]] as const)
    : []),
] as const;

describe.each(kinds)("copies by %s", (label, openWorld) => {
  for (const seed of drawSeeds(`copies, ${label}`, []))
    test(`are never lost, half or wrong, through drawn faults of seed ${seed}`, async () => {
      const tally = createTally();
      for (let history = 0; history < rounds(5); history++)
        await runHistory(openWorld, seed + 1_000_003 * history, tally);
      const told = [...tally.runs].map((each) => each.join(" ")).sort();
      process.stderr.write(`${told.join("; ")}\n`);
    }, 1_800_000);
});
