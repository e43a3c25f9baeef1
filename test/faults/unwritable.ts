import { afterEach } from "bun:test";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives a view of a folder that this process cannot write: a read-only mount for root, whom permissions do not hold;
 * permissions for anybody else. All is undone after the test. Call at a test file's top level.
 */
export function unwritableFolders(): (folder: string) => string {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const step of undo.splice(0).reverse()) step();
  });
  return (folder) => {
    if (process.getuid?.() !== 0) {
      const modes = (file: number, directory: number) => {
        for (const name of readdirSync(folder)) chmodSync(join(folder, name), file);
        chmodSync(folder, directory);
      };
      modes(0o400, 0o500);
      undo.push(() => modes(0o600, 0o700));
      return folder;
    }
    const view = `${folder}.view`;
    mkdirSync(view);
    mount("--bind", folder, view);
    undo.push(() => void Bun.spawnSync(["umount", "--lazy", view]));
    mount("-o", "remount,bind,ro", view);
    return view;
  };
}

/** Whether `unwritableFolders` works here: root in a container may not mount. */
export function canMakeUnwritable(): boolean {
  if (process.platform === "win32") return false;
  if (process.getuid?.() !== 0) return true;
  return Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;
}

function mount(...parameters: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", ...parameters]);
  if (exitCode !== 0) throw new Error(`mount ${parameters.join(" ")}: ${stderr}`);
}
