/**
 * Watches that the folder of a running server is still the one it opened. Who removes or replaces the folder leaves the
 * server with files that nobody else sees: what it counts from then on would be lost, so it must stop.
 */
import { statSync } from "node:fs";
import { join } from "node:path";

const watchEveryMs = 1000;

/**
 * @param changed is called once, with what happened as text for people.
 * @returns a function that ends the watch.
 */
export function watchFolder(folder: string, changed: (text: string) => void): () => void {
  const paths = [folder, join(folder, "control.db"), join(folder, "pool.db")];
  const before = paths.map(identify);
  const timer = setInterval(() => {
    const at = paths.findIndex((path, index) => identify(path) !== before[index]);
    if (at === -1) return;
    clearInterval(timer);
    const isGone = identify(paths[at] as string) === undefined;
    changed(`${paths[at]} was ${isGone ? "removed" : "replaced"} under the running server`);
  }, watchEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The device and number of the file that the path leads to; `undefined` when there is none. */
function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
