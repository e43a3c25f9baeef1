/** Parses workflows, Dockerfiles and similar files. A changed version in such a file is evidence for the tool. */
import type { FileTable } from "./file-table.ts";
import {
  findCaptures,
  type PackageName,
  type Parse,
  parseCaptures,
  toPackageNames,
} from "./package-names.ts";

const chart = parseCaptures("helm", /^(?:[ \t]+(?:-[ \t]+)?|-[ \t]+)name:[ \t]*["']?([\w-]+)/gm);

/** Parses `meta/main.yml` of an Ansible role, and `galaxy.yml` of a collection. */
const ansible: Parse = (text) =>
  toPackageNames("ansible", [
    "ansible",
    ...findCaptures(
      text,
      /^[ \t]*(?:-[ \t]+)?(?:(?:name|src|role):[ \t]*)?["']?([A-Za-z]\w*\.[\w-]+)["']?[ \t]*(?::|$|#)/gm,
    ),
  ]);

function listEntries(ecosystem: string, text: string, pattern: RegExp): PackageName[] {
  return [...text.matchAll(pattern)].flatMap(([, name, version = ""]) =>
    name ? [{ ecosystem, spellings: [name] as const, entry: `${name}${version}` }] : [],
  );
}

/** Lists container images. The default registry is removed from the names. */
function listImages(text: string, pattern: RegExp): PackageName[] {
  return listEntries("docker", text, pattern).map(({ spellings: [name], ...rest }) => ({
    ...rest,
    spellings: [name.replace(/^(docker\.io\/)?(library\/)?/, "")],
  }));
}

/** The parsers of workflows, Dockerfiles and similar files, by file name. @package */
export const toolFiles: FileTable<Parse> = {
  "Dockerfile Containerfile Dockerfile.* *.{d,D}ockerfile": (text) =>
    listImages(text, /^[ \t]*FROM\s+(?:--\S+\s+)?([^\s:@$]+)(\S*)/gim),
  "{docker-,}compose*.{yml,yaml}": (text) =>
    listImages(text, /^[ \t]*(?:-[ \t]+)?image:\s*["']?([^\s:@"'$]+)([^\s"']*)/gm),
  ".github/workflows/*.{yml,yaml}": (text) =>
    listEntries("actions", text, /\buses:\s*["']?([\w.-]+\/[\w.-]+)([^\s"']*)/g),
  /** Finds providers in their configuration, in resources and data, and in modules. */
  "*.tf": (text) => [
    ...listEntries("terraform", text, /\bprovider\s+"([\w-]+)"()/g),
    ...listEntries(
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
  ],
  "Chart.yaml": chart,
  /** Finds roles and collections of Ansible, or the charts in an older Helm chart. */
  "requirements.{yml,yaml}": (text) => {
    if (/^[ \t]+repository:/m.test(text)) return chart(text);
    return /^(?:roles|collections|[ \t]*-[ \t]*(?:src|name|role|include)):/m.test(text)
      ? ansible(text)
      : [];
  },
  "galaxy.yml meta/main.{yml,yaml}": ansible,
};
