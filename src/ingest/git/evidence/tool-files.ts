/**
 * Parses the files of tools: a workflow names actions, a Dockerfile images. An entry is the name with its version: an author
 * who changes it works with the tool, while other changes of the file are not about it.
 */
import type { PackageName, Parse } from "./manifest-text.ts";

/** @package */
export const docker: Parse = (text) =>
  entries("docker", text, /^[ \t]*FROM\s+(?:--\S+\s+)?([^\s:@$]+)(\S*)/gim).map(withoutRegistry);

/** @package */
export const compose: Parse = (text) =>
  entries("docker", text, /^[ \t]*(?:-[ \t]+)?image:\s*["']?([^\s:@"'$]+)([^\s"']*)/gm).map(
    withoutRegistry,
  );

/** @package */
export const actions: Parse = (text) =>
  entries("actions", text, /\buses:\s*["']?([\w.-]+\/[\w.-]+)([^\s"']*)/g);

/** @package A provider is named by its configuration, by resources and data of its types, and by modules. */
export const terraform: Parse = (text) => [
  ...entries("terraform", text, /\bprovider\s+"([\w-]+)"()/g),
  ...entries(
    "terraform",
    text,
    /\bsource\s*=\s*"([\w-]+\/[\w-]+)(?:\/[\w-]+)*"(?:\s*version\s*=\s*"([^"\n]*)")?/g,
  ),
  ...[...text.matchAll(/\b(?:resource|data)\s+"([a-z0-9-]+)(_\w+)?"\s+"([\w-]+)"/g)].map(
    ([, provider = "", type = "", name = ""]) => ({
      ecosystem: "terraform",
      spellings: [provider] as const,
      entry: `${provider}${type}.${name}`,
    }),
  ),
];

function entries(ecosystem: string, text: string, pattern: RegExp): PackageName[] {
  return [...text.matchAll(pattern)].flatMap(([, name, version = ""]) =>
    name ? [{ ecosystem, spellings: [name] as const, entry: `${name}${version}` }] : [],
  );
}

function withoutRegistry({ spellings: [name], ...rest }: PackageName): PackageName {
  return { ...rest, spellings: [name.replace(/^(docker\.io\/)?(library\/)?/, "")] };
}
