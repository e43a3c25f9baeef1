/** Every regular expression that the source writes down or makes, with the file that has it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parse } from "acorn";

export const source = join(import.meta.dir, "../../../src");

export interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export function* sourceFiles(): Generator<string> {
  for (const file of new Bun.Glob("**/*.{ts,tsx,mjs}").scanSync(source)) {
    if (!/\.d\.m?ts$/.test(file)) yield file;
  }
}

/** @returns what stands between slashes. */
export function readExpressions(file: string): readonly Found[] {
  const written: Found[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { regex } = node as Node & { regex?: { pattern: string; flags: string } };
    if (regex) written.push({ file, source: regex.pattern, flags: regex.flags });
    else Object.values(node).forEach(visit);
  };
  visit(parse(asScript(file), { ecmaVersion: "latest", sourceType: "module" }));
  return written;
}

export const callsRegExp = (file: string) => /\bRegExp\(/.test(asScript(file));

function asScript(file: string): string {
  const loader = file.endsWith("x") ? "tsx" : file.endsWith(".mjs") ? "js" : "ts";
  // What is computed while the program is bundled is no expression of its own.
  const text = readFileSync(join(source, file), "utf8").replaceAll(' with { type: "macro" }', "");
  return new Bun.Transpiler({ loader }).transformSync(text);
}

/** Loads files in a process of their own and hears which expressions they make while they are loaded. */
export async function madeWhileLoading(files: readonly string[]): Promise<readonly Found[]> {
  const listening = Bun.spawn([process.execPath, join(import.meta.dir, "listen.ts"), ...files], {
    stderr: "inherit",
  });
  const said = await new Response(listening.stdout).json();
  return said as readonly Found[];
}
