/** Places for copies, with the faults that a test draws: a real S3 server behind a faulty network, and commands of a shell. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlaceCommands } from "../../src/backup/places/command-place.ts";
import { startFaultyProxy } from "../network/faulty-proxy.ts";
import { openStorage } from "./real-storage.ts";

export interface DrawnFault {
  /** With its figures, for the message of a test that fails. */
  readonly words: string;
  /** Whether what the place says may be wrong. S3 never lies. */
  readonly isLie?: boolean;
  /** The client uses another key, or another bucket. */
  readonly wrong?: "key" | "bucket";
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

export interface FaultyPlace {
  readonly kind: "s3" | "command";
  /** Where the files of the place are, on this machine. */
  readonly folder: string;
  /** @param size about as many bytes as a file of the test has. */
  draw(random: () => number, size: number): DrawnFault;
  stop(): Promise<void>;
}

export const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

const pick = <Of>(random: () => number, all: readonly Of[]): Of =>
  all[Math.floor(random() * all.length)] as Of;

/** Takes a disk down to so many free bytes, as another program on it may. */
export function leaveFree(folder: string, bytes: number): () => void {
  const filler = join(folder, ".filler");
  const free = Number(
    Bun.spawnSync(["df", "-B1", "--output=avail", folder]).stdout.toString().split("\n")[1],
  );
  const taken = Math.max(0, Math.floor((free - bytes) / 4096));
  Bun.spawnSync(["dd", "if=/dev/zero", `of=${filler}`, "bs=4096", `count=${taken}`]);
  return () => rmSync(filler, { force: true });
}

export interface CommandPlaceWorld extends FaultyPlace {
  readonly kind: "command";
  readonly commands: PlaceCommands;
}

/** What an operator may write with ssh and cat: a file that is cut stays under its name. */
const store = `#!/bin/sh
cd "$1" && read -r fault bytes <../fault
trouble() { echo "$1" >&2; exit 255; }
case $fault in
away) trouble "ssh: connect to host backup.example.com port 22: Connection refused" ;;
key) trouble "backup@backup.example.com: Permission denied (publickey)." ;;
esac
# Passes on standard input, as far as the fault lets it.
pass() {
  case $fault in
  cut) head -c "$bytes"; trouble "Connection to backup.example.com closed by remote host." ;;
  lie) head -c "$bytes"; cat >/dev/null ;;
  stall) head -c "$bytes"; sleep 60 ;;
  slow) while head -c 60000 >../part && [ -s ../part ]; do cat ../part; sleep 0.01; done ;;
  *) cat ;;
  esac
}
case $2 in
write) pass >"$3" ;;
read) pass <"$3" ;;
list) stat -c "%s %n" * 2>/dev/null | pass ;;
remove) [ "$fault" = lie ] || rm -f "$3" ;;
esac
`;

/** @param parent an empty folder. @param disk a small disk, where one can be mounted: then it can be full. */
export function openCommandPlace(parent: string, disk?: string): CommandPlaceWorld {
  const folder = join(disk ?? parent, "objects");
  mkdirSync(folder);
  const [script, note] = [join(parent, "store"), join(folder, "../fault")];
  writeFileSync(script, store);
  const tell = (fault: string) => writeFileSync(note, `${fault}\n`);
  tell("none");
  const words = (verb: string) => ["sh", script, folder, verb, "{name}"];
  const faults = [
    "away",
    "key",
    "cut",
    "cut",
    "lie",
    "lie",
    "stall",
    "slow",
    ...(disk ? ["full"] : []),
  ];
  return {
    ...{ kind: "command", folder },
    commands: {
      write: words("write"),
      read: words("read"),
      list: words("list"),
      remove: words("remove"),
    },
    draw(random, size) {
      const name = pick(random, faults);
      const bytes = Math.floor(random() * size * 1.2);
      if (name === "full") return drawFullDisk(folder, bytes);
      return {
        words: `${name} ${bytes}`,
        isLie: name === "lie",
        begin: () => tell(`${name} ${bytes}`),
        end: () => tell("none"),
      };
    },
    stop: async () => {},
  };
}

function drawFullDisk(folder: string, bytes: number): DrawnFault {
  let free: (() => void) | undefined;
  return {
    words: `full but for ${bytes}`,
    begin: () => {
      free = leaveFree(join(folder, ".."), bytes);
    },
    end: () => free?.(),
  };
}

export interface S3PlaceWorld extends FaultyPlace {
  readonly kind: "s3";
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

export async function openS3Place(disk?: string): Promise<S3PlaceWorld> {
  const storage = await openStorage(disk);
  const proxy = await startFaultyProxy(storage.port);
  const { bucket, region, keyId, secret, objects: folder } = storage;
  const none = () => {};
  const faults = ["away", "key", "bucket", "sent", "sent", "received", "stall", "slow", "restart"];
  return {
    ...{ kind: "s3", folder, bucket, region, keyId, secret },
    endpoint: `http://127.0.0.1:${proxy.port}`,
    draw(random, size) {
      const name = pick(random, [...faults, ...(disk ? ["full"] : [])]);
      const bytes = Math.floor(random() * size * 1.2);
      const words = `${name} ${bytes}`;
      const failing = (of: "sent" | "received", end: "cut" | "stall"): DrawnFault => ({
        words: `${words} ${of}`,
        begin: () => proxy.fail({ of, bytes, end }),
        end: () => proxy.fail(undefined),
      });
      switch (name) {
        case "sent":
        case "received":
          return failing(name, "cut");
        case "stall":
          return failing(random() < 0.5 ? "sent" : "received", "stall");
        case "key":
        case "bucket":
          return { words, wrong: name, begin: none, end: none };
        case "slow":
          return { words, begin: () => proxy.slow(2_000_000), end: () => proxy.slow(undefined) };
        case "full":
          return drawFullDisk(folder, bytes);
        case "restart":
          return drawRestart(words, random() * 200, storage);
        default:
          return { words, begin: proxy.goAway, end: proxy.comeBack };
      }
    },
    async stop() {
      await proxy.stop();
      await storage.stop();
    },
  };
}

/** The server is killed soon, and comes back at the end. */
function drawRestart(
  words: string,
  milliseconds: number,
  storage: { kill(): Promise<void>; restart(): Promise<void> },
): DrawnFault {
  let killing: Promise<void> | undefined;
  return {
    words: `${words} after ${Math.round(milliseconds)} ms`,
    begin: () => {
      killing = Bun.sleep(milliseconds).then(storage.kill);
    },
    async end() {
      await killing;
      await storage.restart();
    },
  };
}
