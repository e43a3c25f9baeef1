import type { Step } from "./trace.ts";

type Change = Extract<Step, { kind: "write" | "cut" }>;

/** What may be on a disk at one instant: all that was synced, and any part of the rest. */
export interface Disk {
  /** Does a step of the trace. */
  follow(step: Step): void;
  /** One state in which the power may have left the files; `undefined` for a file that is not there. */
  image(chance: () => number): Map<string, Buffer | undefined>;
}

const sectorBytes = 512;

/** @param before the files as they were, durably. */
export function openDisk(before: ReadonlyMap<string, Buffer | undefined>): Disk {
  const durable = new Map(before);
  const pending = new Map<string, Change[]>();
  return {
    follow: (step) => {
      if (step.kind === "said") return;
      const changes = pending.get(step.file) ?? [];
      if (step.kind !== "sync") {
        changes.push(step);
        pending.set(step.file, changes);
      } else {
        durable.set(step.file, changed(durable.get(step.file), changes));
        pending.delete(step.file);
      }
    },
    image: (chance) => {
      // None of what is pending arrived, all of it, or a part, cut at any sector.
      const share = [0, 1, chance()][Math.floor(chance() * 3)] as number;
      const files = new Map(durable);
      for (const [file, changes] of pending) {
        const arrived = changes
          .filter(() => chance() < share)
          .map((change) => (chance() < 0.1 ? torn(change, chance) : change));
        if (arrived.length > 0) files.set(file, changed(files.get(file), arrived));
      }
      return files;
    },
  };
}

function changed(content: Buffer | undefined, changes: readonly Change[]): Buffer {
  const old = content ?? Buffer.alloc(0);
  const ends = changes.map((change) =>
    change.kind === "cut" ? change.size : change.offset + change.bytes.length,
  );
  const fresh = Buffer.alloc(Math.max(old.length, ...ends));
  old.copy(fresh);
  let size = old.length;
  for (const change of changes) {
    if (change.kind === "cut") {
      fresh.fill(0, change.size);
      size = change.size;
    } else {
      fresh.set(change.bytes, change.offset);
      size = Math.max(size, change.offset + change.bytes.length);
    }
  }
  return fresh.subarray(0, size);
}

function torn(change: Change, chance: () => number): Change {
  if (change.kind === "cut") return change;
  const sectors = Math.floor((chance() * change.bytes.length) / sectorBytes);
  return { ...change, bytes: change.bytes.subarray(0, sectors * sectorBytes) };
}
