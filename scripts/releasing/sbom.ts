/**
 * Lists the contents of the executable as CycloneDX 1.5: the runtime, and each package with a file that the bundler took,
 * as scripts/build has recorded, with its licence and the checksum from its registry. The same build gives the same
 * bytes.
 *
 *   bun scripts/releasing/sbom.ts > sbom.cdx.json
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";

const root = join(import.meta.dir, "../..");

/** Bun and the main libraries in it. Bun's own notices name the others. */
const runtime = [
  { name: "Bun", version: Bun.version, licence: "MIT" },
  { name: "JavaScriptCore", version: process.versions["webkit"] ?? "", licence: "LGPL-2.1-only" },
  { name: "SQLite", version: process.versions["sqlite"] ?? "", licence: "blessing" },
  { name: "BoringSSL", version: process.versions["boringssl"] ?? "", licence: "OpenSSL" },
  { name: "ICU", version: process.versions["icu"] ?? "", licence: "Unicode-3.0" },
  { name: "uWebSockets", version: process.versions["uwebsockets"] ?? "", licence: "Apache-2.0" },
  { name: "mimalloc", version: process.versions["mimalloc"] ?? "", licence: "MIT" },
  { name: "c-ares", version: process.versions["ares"] ?? "", licence: "MIT" },
  { name: "libarchive", version: process.versions["libarchive"] ?? "", licence: "BSD-2-Clause" },
  { name: "libdeflate", version: process.versions["libdeflate"] ?? "", licence: "MIT" },
  { name: "llhttp", version: process.versions["llhttp"] ?? "", licence: "MIT" },
  { name: "lol-html", version: process.versions["lolhtml"] ?? "", licence: "BSD-3-Clause" },
  { name: "ls-hpack", version: process.versions["lshpack"] ?? "", licence: "MIT" },
  { name: "picohttpparser", version: process.versions["picohttpparser"] ?? "", licence: "MIT" },
  { name: "TinyCC", version: process.versions["tinycc"] ?? "", licence: "LGPL-2.1-or-later" },
  { name: "zlib", version: process.versions["zlib"] ?? "", licence: "Zlib" },
  { name: "zstd", version: process.versions["zstd"] ?? "", licence: "BSD-3-Clause" },
];

/** SPDX ids, which CycloneDX requires, of licences that packages name differently. */
const licenceIds: Readonly<Record<string, string>> = {
  "MIT License": "MIT",
  "BSD-0-Clause": "0BSD",
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The entry of a package in bun.lock; its last element is the integrity. */
type LockedPackage = readonly [id: string, ...rest: unknown[], integrity: string];

const read = (path: string) => readFileSync(join(root, path), "utf8");
const contents = JSON.parse(read("dist/contents.json")) as { readonly inputs: object };
const { packages } = Bun.JSONC.parse(read("bun.lock")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The folders of the packages, relative to the root. */
const folders = Object.keys(contents.inputs).flatMap(
  (path) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(path)?.[0] ?? [],
);

function describe(folder: string) {
  const { name, version: found, license } = JSON.parse(read(`${folder}package.json`)) as Manifest;
  const key = folder
    .split(/\/?node_modules\//)
    .filter(Boolean)
    .join("/")
    .replace(/\/$/, "");
  const [id, ...rest] = packages[key] ?? [];
  if (id !== `${name}@${found}`)
    throw new Error(`${folder} is ${name}@${found}, bun.lock has ${id}`);
  const [algorithm, digest = ""] = String(rest.at(-1)).split("-", 2);
  if (algorithm !== "sha512") throw new Error(`${id} has no SHA-512 in bun.lock`);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${found}`;
  return {
    ...{ type: "library", "bom-ref": purl, name, version: found, purl },
    licenses: [{ license: { id: licenceIds[license] ?? license } }],
    hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
  };
}

const libraries = [...new Set(folders)].map(describe);
// One version may be installed in two folders.
const unique = [...new Map(libraries.map((one) => [one.purl, one])).values()];
const document = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: { type: "application", "bom-ref": "roster", name: "roster", version } },
  components: [
    ...runtime.map(({ name, version: found, licence }) => ({
      type: "library",
      "bom-ref": `runtime:${name}`,
      name,
      version: found,
      licenses: [{ license: { id: licence } }],
    })),
    ...unique.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  ],
};
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
