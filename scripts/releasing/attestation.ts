/**
 * Writes what a release was built from and with, as an in-toto statement in the form of SLSA provenance. SHA256SUMS lists
 * its file, so the signature of SHA256SUMS covers it.
 *
 *   bun scripts/releasing/attestation.ts COMMIT FILE... > attestation.json
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dir, "../..");
const [commit = "", ...files] = process.argv.slice(2);
const digest = (path: string) =>
  new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");

const statement = {
  _type: "https://in-toto.io/Statement/v1",
  subject: files.map((path) => ({ name: basename(path), digest: { sha256: digest(path) } })),
  predicateType: "https://slsa.dev/provenance/v1",
  predicate: {
    buildDefinition: {
      buildType: "scripts/release",
      externalParameters: {},
      resolvedDependencies: [
        { name: "source", digest: { gitCommit: commit } },
        { name: "bun.lock", digest: { sha256: digest(join(root, "bun.lock")) } },
        { name: "bun", annotations: { version: Bun.version, revision: Bun.revision } },
      ],
    },
    runDetails: { builder: { id: "scripts/release" } },
  },
};
process.stdout.write(`${JSON.stringify(statement, null, 2)}\n`);
