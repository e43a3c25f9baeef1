import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
/** The digest of the program, defined by `scripts/build`. */
declare const PROGRAM_DIGEST: string | undefined;

let computed: string | undefined;

/** @package Returns a digest of the program and its lists. */
export function digestProgram(): string {
  if (typeof PROGRAM_DIGEST === "string") return PROGRAM_DIGEST;
  computed ??= computeDigest();
  return computed;
}

function computeDigest(): string {
  const files = ["src", "seed"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
  );
  const digests = [...files, "bun.lock"]
    .sort()
    .map((file) => `${file} ${Bun.hash(readFileSync(join(root, file)))}`);
  return new Bun.CryptoHasher("sha256")
    .update([Bun.version, Bun.revision, ...digests].join("\n"))
    .digest("base64url");
}
