/**
 * Parses the files of tools: a workflow names actions, a Dockerfile images. An entry is the name with its version: an author
 * who changes it works with the tool, while other changes of the file are not about it.
 */
import {
  findCaptures,
  type ManifestTable,
  type PackageName,
  type Parse,
  toPackageNames,
} from "./manifest-text.ts";

const docker: Parse = (text) =>
  entries("docker", text, /^[ \t]*FROM\s+(?:--\S+\s+)?([^\s:@$]+)(\S*)/gim).map(withoutRegistry);

const compose: Parse = (text) =>
  entries("docker", text, /^[ \t]*(?:-[ \t]+)?image:\s*["']?([^\s:@"'$]+)([^\s"']*)/gm).map(
    withoutRegistry,
  );

const actions: Parse = (text) =>
  entries("actions", text, /\buses:\s*["']?([\w.-]+\/[\w.-]+)([^\s"']*)/g);

/** A provider is named by its configuration, by resources and data of its types, and by modules. */
const terraform: Parse = (text) => [
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

/** The dependencies of a chart; the chart's own name has no indent. */
const chart: Parse = (text) =>
  toPackageNames(
    "helm",
    findCaptures(text, /^(?:[ \t]+(?:-[ \t]+)?|-[ \t]+)name:[ \t]*["']?([\w-]+)/gm),
  );

/** Roles and collections; a chart of an older form has a file of this name too. */
const ansibleRequirements: Parse = (text) => {
  if (/^[ \t]+repository:/m.test(text)) return chart(text);
  return /^(?:roles|collections|[ \t]*-[ \t]*(?:src|name|role|include)):/m.test(text)
    ? ansible(text)
    : [];
};

/** `meta/main.yml` of a role, and `galaxy.yml` of a collection. */
const ansible: Parse = (text) =>
  toPackageNames("ansible", [
    "ansible",
    ...findCaptures(
      text,
      /^[ \t]*(?:-[ \t]+)?(?:(?:name|src|role):[ \t]*)?["']?([A-Za-z]\w*\.[\w-]+)["']?[ \t]*(?::|$|#)/gm,
    ),
  ]);

function entries(ecosystem: string, text: string, pattern: RegExp): PackageName[] {
  return [...text.matchAll(pattern)].flatMap(([, name, version = ""]) =>
    name ? [{ ecosystem, spellings: [name] as const, entry: `${name}${version}` }] : [],
  );
}

function withoutRegistry({ spellings: [name], ...rest }: PackageName): PackageName {
  return { ...rest, spellings: [name.replace(/^(docker\.io\/)?(library\/)?/, "")] };
}

/** @package */
export const toolFiles: ManifestTable = {
  byName: {
    Dockerfile: docker,
    Containerfile: docker,
    "Chart.yaml": chart,
    "requirements.yml": ansibleRequirements,
    "requirements.yaml": ansibleRequirements,
    "galaxy.yml": ansible,
  },
  byPattern: [
    [/^(Dockerfile\..+|.+\.[Dd]ockerfile)$/, docker],
    [/^(docker-)?compose.*\.ya?ml$/, compose],
    [/\.tf$/, terraform],
  ],
};

/** @package Files that their folder tells: workflows, and what a role depends on. */
export const toolFolders: ManifestTable["byPattern"] = [
  [/(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/, actions],
  [/(^|\/)meta\/main\.ya?ml$/, ansible],
];
