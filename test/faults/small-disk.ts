import { afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own for a test, which anybody can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all that is free, as another program on the same disk may. */
  fill(): void;
  free(): void;
}

const mounted: string[] = [];

function mount(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "roster-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
  if (Bun.which("mount") && Bun.spawnSync(["mount", ...options]).exitCode === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function unmount(folder: string): void {
  Bun.spawnSync(["umount", "-l", folder]);
  rmSync(folder, { recursive: true });
}

/** Whether this user may mount a file system in memory: root, on Linux. */
export const canMount = (() => {
  const folder = mount(1);
  if (folder) unmount(folder);
  return folder !== undefined;
})();

/** Gives a disk of so many MB; all are gone after the test that asked. Call at a test file's top level. */
export function createSmallDisks(): (megabytes: number) => SmallDisk {
  afterEach(() => {
    for (const folder of mounted.splice(0)) unmount(folder);
  });
  return (megabytes) => {
    const folder = mount(megabytes);
    if (folder === undefined) throw new Error("no disk can be mounted");
    mounted.push(folder);
    const filler = join(folder, "somebody-else");
    return {
      folder,
      // It ends when nothing is left to take.
      fill: () => void Bun.spawnSync(["dd", "if=/dev/zero", `of=${filler}`, "bs=4k"]),
      free: () => rmSync(filler, { force: true }),
    };
  };
}
