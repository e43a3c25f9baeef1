import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
/** All code that decides figures is in these modules. */
const parts = ["analysis", "contract", "identity", "ingest", "places", "pool", "vocabulary"];
const lists = ["agents.json", "gazetteer.bin", "model.json", "names.json", "places", "vocabulary"];

/**
 * Defined by `scripts/build`. A macro would not do: while one macro runs, Bun may load a file that uses another one, and then
 * leaves its call as it stands (oven-sh/bun#38683). The vocabulary uses one.
 */
declare const PROGRAM_DIGEST: string | undefined;

let computed: string | undefined;

/**
 * A digest of the program and its lists. The executable has the one of its build; a run from the sources computes it.
 *
 * @package
 */
export function digestProgram(): string {
  if (typeof PROGRAM_DIGEST === "string") return PROGRAM_DIGEST;
  computed ??= computeDigest();
  return computed;
}

function computeDigest(): string {
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
