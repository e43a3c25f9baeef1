/** The recipes, a release that they take, and what others check them with, of PyPI: `scripts/test` installs it into .tools/recipes. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../faults/server-process.ts";

const root = join(import.meta.dir, "../..");
export const recipes = join(root, "packaging/ci");

/** @returns the path of a tool; undefined, with a message, where it is missing. */
export function findRecipeTool(name: string): string | undefined {
  const path = join(root, ".tools/recipes/bin", name);
  if (existsSync(path)) return path;
  process.stderr.write(`Skips: needs ${name}, which scripts/test installs\n`);
  return undefined;
}

/** A release as scripts/release makes it, of this program. */
export function packRelease(folder: string) {
  const tree = join(folder, "roster-0.0.0");
  mkdirSync(join(tree, "packaging"), { recursive: true });
  cpSync(recipes, join(tree, "packaging/ci"), { recursive: true });
  const words = program.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(tree, "roster"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const archive = join(folder, "roster.tar.gz");
  Bun.spawnSync(["tar", "-czf", archive, "-C", folder, "./roster-0.0.0"]);
  const checksum = new Bun.CryptoHasher("sha256").update(readFileSync(archive)).digest("hex");
  return { archive, checksum };
}
