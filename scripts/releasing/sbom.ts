/**
 * Makes the list of what is in the executable, as CycloneDX 1.5: each package of bun.lock that it needs, with the checksum of its
 * registry, and the runtime. The same lockfile gives the same bytes.
 *
 *   bun scripts/releasing/sbom.ts > sbom.cdx.json
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";

const root = join(import.meta.dir, "../..");

/** What comes with Bun, whose notices name the rest. */
const runtime = [
  { name: "Bun", version: Bun.version, licence: "MIT" },
  { name: "JavaScriptCore", version: process.versions["webkit"] ?? "", licence: "LGPL-2.1-only" },
  { name: "SQLite", version: process.versions["sqlite"] ?? "", licence: "blessing" },
  { name: "BoringSSL", version: process.versions["boringssl"] ?? "", licence: "OpenSSL" },
];

/** Name, version, integrity and what it needs, as bun.lock has them. */
type LockedPackage = [id: string, registry: string, about: Needs, integrity: string];
interface Needs {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly optionalPeers?: readonly string[];
}

interface Lock {
  readonly workspaces: { readonly "": Needs };
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The packages that the executable's own need, by the nearest place that a name resolves to. */
function listNeeded({ workspaces, packages }: Lock): ReadonlyMap<string, LockedPackage> {
  const found = new Map<string, LockedPackage>();
  const visit = (name: string, from: string): void => {
    for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf("/")))) {
      const key = above === "" ? name : `${above}/${name}`;
      const locked = packages[key];
      if (locked) {
        if (found.has(key)) return;
        found.set(key, locked);
        visitAll(locked[2], key);
        return;
      }
      if (above === "") return;
    }
  };
  const visitAll = (needs: Needs, from: string) => {
    const { dependencies, optionalDependencies, peerDependencies = {}, optionalPeers = [] } = needs;
    const peers = Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name));
    const named = Object.keys({ ...dependencies, ...optionalDependencies });
    for (const name of [...named, ...peers]) visit(name, from);
  };
  visitAll({ dependencies: workspaces[""].dependencies ?? {} }, "");
  return found;
}

function describe([id, , , integrity]: LockedPackage) {
  const at = id.lastIndexOf("@");
  const [name, found] = [id.slice(0, at), id.slice(at + 1)];
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  return {
    type: "library",
    "bom-ref": `pkg:npm/${name.replace("@", "%40")}@${found}`,
    name,
    version: found,
    purl: `pkg:npm/${name.replace("@", "%40")}@${found}`,
    hashes: [
      {
        alg: algorithm === "sha512" ? "SHA-512" : algorithm,
        content: Buffer.from(digest, "base64").toString("hex"),
      },
    ],
  };
}

const lock = Bun.JSONC.parse(readFileSync(join(root, "bun.lock"), "utf8")) as Lock;
const libraries = [...listNeeded(lock).values()].map(describe);
const unique = [...new Map(libraries.map((one) => [one["bom-ref"], one])).values()];
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
    ...unique.sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
  ],
};
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
