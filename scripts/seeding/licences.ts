/**
 * Writes seed/licences.txt, the text of `roster --licenses`: every package that is compiled into the
 * executable, every data set in seed/, and Bun itself.
 *
 *   scripts/seed licences [OUTPUT]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

if (import.meta.main) {
  const [output = join(root, "seed/licences.txt")] = process.argv.slice(2);
  await Bun.write(output, licences());
}

export function licences(): string {
  return `${[own(), ...data(), ...packages(), runtime()].join(`\n\n${"=".repeat(78)}\n`)}\n`;
}

function own(): string {
  return `Roster\n\n${readFileSync(join(root, "LICENSE"), "utf8").trim()}`;
}

function data(): string[] {
  const folder = join(root, "seed/licences");
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
}

/** The packages that `dependencies` needs, by peers too. Development tools are not in the executable. */
function packages(): string[] {
  const seen = new Map<string, string>();
  const visit = (name: string, from: string) => {
    const folder = [join(from, "node_modules", name), join(root, "node_modules", name)].find(
      (one) => existsSync(join(one, "package.json")),
    );
    if (!folder || seen.has(folder)) return;
    const manifest = manifestOf(folder);
    seen.set(folder, notice(folder, manifest));
    const { dependencies, optionalDependencies, peerDependencies = {} } = manifest;
    const isNeeded = (peer: string) => !manifest.peerDependenciesMeta?.[peer]?.optional;
    const peers = Object.keys(peerDependencies).filter(isNeeded);
    const named = Object.keys({ ...dependencies, ...optionalDependencies });
    for (const each of [...named, ...peers]) visit(each, folder);
  };
  for (const name of Object.keys(manifestOf(root).dependencies ?? {})) visit(name, root);
  // Which package is installed twice depends on the order of installing.
  return [...new Set(seen.values())].sort();
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function notice(folder: string, { name, version, license }: Manifest): string {
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text}`.replaceAll("\r\n", "\n");
}

function runtime(): string {
  return (
    "Bun 1.4.5 (MIT)\n\nThe executable contains the Bun runtime, (c) Oven, under the MIT licence, with JavaScriptCore\n" +
    "(LGPL-2.0), BoringSSL, SQLite (public domain) and other libraries; Bun's own LICENSE.md lists them all."
  );
}
