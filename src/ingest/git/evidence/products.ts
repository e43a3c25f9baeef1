/** Finds the products of a repository, by its name and by the packages that its manifests define. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import { findCaptures, isText, normalisePypi, parseToml, toRecord } from "./manifest-text.ts";

/** The packages of which a file is the source, as `ecosystem:package`, sorted. */
export type ProductsOf = (path: string) => readonly string[];

/** Limit of bytes per manifest, and of manifests per repository. */
const bytesMax = 256 * 1024;
const filesMax = 2000;

/**
 * Assigns the package of a manifest to the files below its folder: at the top always, elsewhere if the vocabulary knows the
 * package.
 */
export async function readProducts(
  git: Git,
  directory: string,
  { files, kindOf }: { files: readonly TreeFile[]; kindOf: (path: string) => FileClassification },
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<ProductsOf> {
  const isOwn = ({ path, bytes }: TreeFile): boolean => {
    if (bytes > bytesMax || !findNaming(path)) return false;
    const { vendored, generated, documentation } = kindOf(path);
    return !vendored && !generated && !documentation;
  };
  const manifests = files.filter(isOwn).slice(0, filesMax);
  const byFolder = new Map<string, Set<string>>();
  await readBlobs(git, directory, { files: manifests, bytesMax }, ({ path }, content) => {
    const { ecosystem, nameIn } = findNaming(path) ?? {};
    const name = nameIn?.(toFileText(content), path);
    if (!ecosystem || !name || name.length > nameMax) return;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const isTelling = folder === "" && !isGeneric(name);
    if (!isTelling && !vocabulary.packageSkill(ecosystem, name)) return;
    byFolder.getOrInsertComputed(folder, () => new Set()).add(`${ecosystem}:${name}`);
  });
  return (path) => {
    const found = new Set(byFolder.get(""));
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      for (const name of byFolder.get(path.slice(0, at)) ?? []) found.add(name);
    }
    return [...found].sort();
  };
}

/** Below the contract's limit on names of evidence, with an ecosystem before it. */
const nameMax = 200;

/** @returns `repository:NAME`, with the owner if many repositories have that name; undefined for a name without meaning. */
export function formatProduct(origin: {
  readonly name: string;
  readonly owner: string | undefined;
}): string | undefined {
  const last = origin.name.slice(origin.name.lastIndexOf("/") + 1);
  const name = isGeneric(last) ? origin.name : last;
  if (name.length > nameMax || (isGeneric(last) && origin.owner === undefined)) return undefined;
  return `repository:${name}`;
}

function isGeneric(name: string): boolean {
  return name.startsWith(".") || generic.has(name.slice(name.lastIndexOf("/") + 1).toLowerCase());
}

const generic = new Set(
  (
    "admin android api app application apps backend blog book books build cli client code common compose config console core " +
    "dashboard demo desktop dev docs documentation dotfiles engine example examples extension extensions framework " +
    "frontend guide guides handbook homepage infra infrastructure ios landing lib library libs main manual marketplace mobile " +
    "monorepo my-app notebook notebooks package packages platform playground plugin plugins portal project reference " +
    "repo repository root sandbox sample samples scripts sdk server service services shared site spec specs src " +
    "starter template templates test tests tool tools tutorial tutorials ui utils web webapp website wiki workspace www"
  ).split(" "),
);

interface Naming {
  readonly ecosystem: string;
  readonly nameIn: (text: string, path: string) => string | undefined;
}

function findNaming(path: string): Naming | undefined {
  const base = path.slice(path.lastIndexOf("/") + 1);
  return byName.get(base) ?? byPattern.find(([pattern]) => pattern.test(base))?.[1];
}

const ofJson = (ecosystem: string): Naming => ({
  ecosystem,
  nameIn: (text) => textOf(toRecord(tryParseJson(text))["name"]),
});

const matching = (ecosystem: string, pattern: RegExp): Naming => ({
  ecosystem,
  nameIn: (text) => findCaptures(text, pattern)[0],
});

const pythonProject: Naming = {
  ecosystem: "pypi",
  nameIn(text) {
    const manifest = toRecord(parseToml(text));
    const poetry = toRecord(toRecord(manifest["tool"])["poetry"]);
    const name = textOf(toRecord(manifest["project"])["name"]) ?? textOf(poetry["name"]);
    return name && normalisePypi(name);
  },
};

const ofPython = (pattern: RegExp): Naming => ({
  ecosystem: "pypi",
  nameIn: (text) => findCaptures(text, pattern).map(normalisePypi)[0],
});

const groupId = /<groupId>\s*([\w.-]+)\s*<\/groupId>/g;

const mavenProject: Naming = {
  ecosystem: "maven",
  nameIn(text) {
    const [start, end] = [text.indexOf("<parent>"), text.indexOf("</parent>")];
    const hasParent = start !== -1 && end > start;
    const parent = hasParent ? text.slice(start, end) : "";
    const rest = hasParent ? text.slice(0, start) + text.slice(end) : text;
    const [own = ""] = rest.split(/<(?:dependenc|build|modules)/);
    const group = findCaptures(own, groupId)[0] ?? findCaptures(parent, groupId)[0];
    const artifact = findCaptures(own, /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/g)[0];
    return group && artifact && `${group}:${artifact}`;
  },
};

const dotnetProject: Naming = {
  ecosystem: "nuget",
  nameIn: (text, path) =>
    findCaptures(text, /<PackageId>\s*([\w.-]+)\s*<\/PackageId>/g)[0] ??
    path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf(".")),
};

const byName = new Map(
  Object.entries<Naming>({
    "package.json": ofJson("npm"),
    "composer.json": ofJson("composer"),
    "pyproject.toml": pythonProject,
    "setup.py": ofPython(/\bname\s*=\s*["']([\w.-]+)["']/g),
    "setup.cfg": ofPython(/^name[ \t]*=[ \t]*([\w.-]+)/gm),
    "Cargo.toml": {
      ecosystem: "cargo",
      nameIn: (text) => textOf(toRecord(toRecord(parseToml(text))["package"])["name"]),
    },
    "go.mod": matching("go", /^module[ \t]+"?([\w./~-]+)/gm),
    "pom.xml": mavenProject,
    "mix.exs": matching("hex", /\bapp:\s*:(\w+)/g),
    "pubspec.yaml": matching("pub", /^name:[ \t]*["']?(\w+)/gm),
    "Package.swift": matching("swift", /\bname:\s*"([\w.-]+)"/g),
    DESCRIPTION: matching("cran", /^Package:[ \t]*([A-Za-z][\w.]*)/gm),
  }),
);

const byPattern: readonly (readonly [RegExp, Naming])[] = [
  [/\.gemspec$/, matching("rubygems", /\.name\s*=\s*["']([\w.-]+)["']/g)],
  [/\.podspec$/, matching("cocoapods", /\.name\s*=\s*["']([\w.+-]+)["']/g)],
  [/\.(cs|fs|vb)proj$/, dotnetProject],
];

function textOf(value: unknown): string | undefined {
  return isText(value) && value.trim() !== "" ? value.trim() : undefined;
}
