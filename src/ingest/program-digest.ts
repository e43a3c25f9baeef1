import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
/** All code that decides figures is in these modules. */
const parts = ["analysis", "contract", "identity", "ingest", "places", "pool", "vocabulary"];
const lists = ["agents.json", "gazetteer.bin", "model.json", "places", "vocabulary"];

/**
 * Digests the program and its lists. It is called as a macro, when the program is bundled or, run from its sources, compiled in
 * memory; so the digest is never older than the program.
 *
 * @package
 */
export function digestProgram(): string {
  const digests = listDecidingFiles().map(
    (file) => `${file} ${Bun.hash(readFileSync(join(root, file)))}`,
  );
  return new Bun.CryptoHasher("sha256")
    .update([Bun.version, Bun.revision, ...digests].join("\n"))
    .digest("base64url");
}

/** @package @returns paths from the root of the project, sorted. */
export function listDecidingFiles(): readonly string[] {
  const paths = [...parts.map((part) => `src/${part}`), ...lists.map((list) => `seed/${list}`)];
  return [...paths.flatMap(listFiles), "bun.lock"].sort();
}

function listFiles(path: string): readonly string[] {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}
