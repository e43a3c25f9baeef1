/** A disk that takes no writes: a start is refused with one line, and no commit is ever promised. */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { firstRelease, unpackFolder } from "../upgrade/filled-folders.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

/** Runs the rest with the folder mounted read-only, in a name space of its own. */
const mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const under = (folder: string) => ["unshare", "-m", "sh", "-c", mounted, folder];
const canMount = Bun.spawnSync([...under(newFolder()), "true"]).exitCode === 0;
if (!canMount) process.stderr.write("SKIPPED: read-only disk, since this user may not mount\n");

const folders: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "an empty folder": async (folder) => mkdirSync(join(folder, "data")),
  "a folder of this form": async (folder) => {
    await (await startServer(join(folder, "data"), await freePort())).kill();
  },
  "a folder of an older form": async (folder) => void unpackFolder(firstRelease, folder),
};

for (const [what, make] of Object.entries(folders)) {
  test.skipIf(!canMount)(`a start on ${what} is refused with one clear line`, async () => {
    const folder = newFolder();
    const data = join(folder, "data");
    await make(folder);
    const list = () => readdirSync(data).map((name) => [name, statSync(join(data, name)).mtimeMs]);
    const before = list();
    const { exitCode, stderr, stdout } = Bun.spawnSync([
      ...[...under(folder), ...program, "serve", "--data", data],
      ...["--port", "0", "--log-level", "error"],
    ]);
    expect([exitCode, stdout.toString()]).toEqual([5, ""]);
    const lines = stderr.toString().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      `${data} is read-only: it or a file in it cannot be written. Commands that only read work on it, and \`roster serve --read-only\` serves it as it is.`,
    ]);
    expect(list()).toEqual(before);
  });
}
