/**
 * The bytes of a database beside SQLite. When a process closes any descriptor of a file, the system frees all locks that the
 * process has on that file, SQLite's as well: so a descriptor stays open as long as a connection does, and serves again.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { type FileIdentity, identifyFile, runWhenUnused } from "../connection.ts";

/** @package */
export interface FileBytes {
  /** @throws when the file ends before. */
  read(into: Uint8Array, position: number): void;
  write(bytes: Uint8Array, position: number): void;
  /** Returns when what was written survives a power cut. */
  sync(): void;
}

const descriptors = new Map<FileIdentity, number>();

/** @package */
export function openBytes(path: string): FileBytes {
  const file = findDescriptor(path);
  return {
    read(into, position) {
      for (let at = 0; at < into.length; ) {
        const count = readSync(file, into, at, into.length - at, position + at);
        if (count === 0) throw new Error(`${path} is shorter than its pages.`);
        at += count;
      }
    },
    write(bytes, position) {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at, bytes.length - at, position + at);
      }
    },
    sync: () => fdatasyncSync(file),
  };
}

function findDescriptor(path: string): number {
  const identity = identifyFile(path);
  const known = identity === undefined ? undefined : descriptors.get(identity);
  if (known !== undefined) return known;
  const file = openSync(path, "r+");
  const { dev, ino } = fstatSync(file, { bigint: true });
  const opened = `${dev}:${ino}`;
  descriptors.set(opened, file);
  runWhenUnused(opened, () => {
    descriptors.delete(opened);
    closeSync(file);
  });
  return file;
}
