/**
 * Files go to a place and come back, while the place has drawn faults: what was put without an error is there, and what comes back
 * without an error is right, unless a command of the operator lies about it.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCommandPlace } from "../../src/backup/places/command-place.ts";
import type { BackupPlace } from "../../src/backup/places/place.ts";
import { createS3Place } from "../../src/backup/places/s3-place.ts";
import { canMount, createSmallDisks } from "../faults/small-disk.ts";
import { rounds } from "../long.ts";
import { createRandom, drawSeeds } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  type DrawnFault,
  type FaultyPlace,
  listFiles,
  openCommandPlace,
  openS3Place,
} from "./faulty-places.ts";
import { hasStorage } from "./real-storage.ts";

const newFolder = temporaryFolders();
const newDisk = createSmallDisks();
const names = ["a.tar.zst", "b.tar.zst", "b.tar.zst.sha256", "c.tar.zst.age"];
const size = 300_000;
/** A fault that stalls costs this time. Otherwise a busy machine may take its time. */
const findSilentMs = (fault?: DrawnFault) => (fault?.words.startsWith("stall") ? 300 : 60_000);

interface World {
  readonly world: FaultyPlace;
  /** The place as the program reaches it while a fault lasts. */
  open(fault?: DrawnFault): BackupPlace;
}

const commandWorld = async (): Promise<World> => {
  const world = openCommandPlace(newFolder(), canMount ? newDisk(8).folder : undefined);
  const environment = { PATH: process.env["PATH"] ?? "" };
  return {
    world,
    open(fault) {
      const silentMs = findSilentMs(fault);
      return createCommandPlace(world.commands, { label: "the copy", environment, silentMs });
    },
  };
};

const s3World = async (): Promise<World> => {
  const world = await openS3Place(canMount ? newDisk(8).folder : undefined);
  const { endpoint, region, keyId, secret } = world;
  return {
    world,
    open: (fault) =>
      createS3Place({
        bucket: fault?.wrong === "bucket" ? "elsewhere" : world.bucket,
        access: () => ({
          ...{ endpoint, region, keyId },
          secret: fault?.wrong === "key" ? "another secret" : secret,
        }),
        ...{ prefix: "", silentMs: findSilentMs(fault) },
      }),
  };
};

const readAll = async (place: BackupPlace, name: string) =>
  Buffer.from(await new Response(place.get(name)).arrayBuffer());

/** @returns the fault that ended the work; undefined where it succeeded. */
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as Error,
  );

async function runHistory({ world, open }: World, seed: number, runs: number) {
  const random = createRandom(seed);
  const source = join(newFolder(), "source");
  const drawContent = () => {
    const content = Buffer.alloc(Math.floor(random() ** 2 * 2 * size));
    for (let at = 0; at < content.length; at += 997) content[at] = Math.floor(random() * 256);
    return content;
  };
  /** What a name must have; after a put that failed, one of these. Undefined: the file is missing. */
  const known = new Map<string, readonly (Buffer | undefined)[]>();
  const unsure = new Set<string>();
  const told = new Map<string, number>();
  for (let run = 0; run < runs; run++) {
    const fault = random() < 0.8 ? world.draw(random, size) : undefined;
    const where = `seed ${seed}, run ${run}: ${fault?.words ?? "no fault"}`;
    const name = names[Math.floor(random() * names.length)] as string;
    const content = drawContent();
    writeFileSync(source, content);
    await fault?.begin();
    const place = open(fault);
    const failed = await faultOf(place.put(name, source));
    if (failed) expect(failed.message, where).toMatch(/^[^\n]{5,600}\.$/);
    const seen = await readAll(place, name).catch(() => undefined);
    const listed = await place.list().catch(() => undefined);
    await fault?.end();
    const kind = `${fault?.words.split(" ")[0] ?? "none"} ${failed ? "failed" : "done"}`;
    told.set(kind, (told.get(kind) ?? 0) + 1);
    const before = known.get(name) ?? [undefined];
    const isOn = (bytes: Buffer) => readFileSync(join(world.folder, name)).equals(bytes);
    if (fault?.isLie) known.delete(name);
    else if (!failed) {
      expect(isOn(content), `${where}: what was put is there`).toBe(true);
      known.set(name, [content]);
      unsure.delete(name);
    } else if (world.kind === "s3" && !fault?.words.startsWith("full")) {
      if (!unsure.has(name)) known.set(name, [...before, content]);
    } else {
      // A server that is full may keep half in place of what it had. No mark follows it.
      known.delete(name);
      unsure.add(name);
    }
    if (seen && !fault?.isLie) expect(isOn(seen), `${where}: what was read is right`).toBe(true);
    if (listed && !fault?.isLie)
      expect(listed.map((one) => one.name).sort(), where).toEqual([...listFiles(world.folder)]);
    await requireKnown(open(), world, known, where);
  }
  return told;
}

async function requireKnown(
  place: BackupPlace,
  { folder }: FaultyPlace,
  known: ReadonlyMap<string, readonly (Buffer | undefined)[]>,
  where: string,
): Promise<void> {
  for (const [name, contents] of known) {
    const found = listFiles(folder).includes(name) ? await readAll(place, name) : undefined;
    const isKnown = contents.some((each) => (found ? each?.equals(found) : each === found));
    expect(isKnown, `${where}: ${name} is whole, or as before`).toBe(true);
  }
}

const kinds = [
  ["commands", commandWorld],
  ...(hasStorage ? ([["S3", s3World]] as const) : []),
] as const;

describe.each(kinds)("%s", (label, openWorld) => {
  for (const seed of drawSeeds(`places, ${label}`, []))
    test(`keep what they took, through drawn faults of seed ${seed}`, async () => {
      const opened = await openWorld();
      mkdirSync(opened.world.folder, { recursive: true });
      const told = await runHistory(opened, seed, rounds(200));
      await opened.world.stop();
      process.stderr.write(
        `${[...told]
          .map((each) => each.join(" "))
          .sort()
          .join(", ")}\n`,
      );
    }, 300_000);
});
