/** Finds the products of a repository: by its name, and by the packages that its manifests define. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import { type FileTable, joinFileTables } from "./file-table.ts";
import {
  findCaptures,
  isText,
  normalisePypi,
  type PackageName,
  parseCaptures,
  parseToml,
  toPackageNames,
  toRecord,
} from "./package-names.ts";
import type { TextFile, TreeContext } from "./text-files.ts";

/**
 * Finds the package that a manifest defines. An unknown package counts only at the root, and only if its name is not generic.
 * @returns `ecosystem:package`.
 */
export function listDefined({ path, text }: TextFile, { vocabulary }: TreeContext) {
  const [defined] = findDefining(path)?.(text, path) ?? [];
  if (!defined) return [];
  const { ecosystem, spellings } = defined;
  const [name] = spellings;
  if (name.length > nameMax) return [];
  const isTelling = !path.includes("/") && !isGeneric(name);
  return isTelling || vocabulary.packageSkill(ecosystem, name) ? [`${ecosystem}:${name}`] : [];
}

/** The most characters of a name, without the ecosystem. */
const nameMax = 200;

/** @returns `repository:NAME`, or `repository:OWNER/NAME` for a common name; undefined for a name that tells nothing. */
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

/** Finds the package that a file defines. This package is first in the result. */
type ParseDefined = (text: string, path: string) => PackageName[];

const ofJson =
  (ecosystem: string): ParseDefined =>
  (text) =>
    toPackageNames(ecosystem, [textOf(toRecord(tryParseJson(text))["name"])]);

const groupId = /<groupId>\s*([\w.-]+)\s*<\/groupId>/g;

const defining: FileTable<ParseDefined> = {
  "package.json": ofJson("npm"),
  "composer.json": ofJson("composer"),
  "pyproject.toml": (text) => {
    const manifest = toRecord(parseToml(text));
    const poetry = toRecord(toRecord(manifest["tool"])["poetry"]);
    const name = textOf(toRecord(manifest["project"])["name"]) || textOf(poetry["name"]);
    return toPackageNames("pypi", [normalisePypi(name)]);
  },
  "setup.py": parseCaptures("pypi", /\bname\s*=\s*["']([\w.-]+)["']/g, normalisePypi),
  "setup.cfg": parseCaptures("pypi", /^name[ \t]*=[ \t]*([\w.-]+)/gm, normalisePypi),
  "Cargo.toml": (text) =>
    toPackageNames("cargo", [textOf(toRecord(toRecord(parseToml(text))["package"])["name"])]),
  "go.mod": parseCaptures("go", /^module[ \t]+"?([\w./~-]+)/gm),
  "pom.xml": (text) => {
    const [start, end] = [text.indexOf("<parent>"), text.indexOf("</parent>")];
    const hasParent = start !== -1 && end > start;
    const parent = hasParent ? text.slice(start, end) : "";
    const rest = hasParent ? text.slice(0, start) + text.slice(end) : text;
    const [own = ""] = rest.split(/<(?:dependenc|build|modules)/);
    const group = findCaptures(own, groupId)[0] ?? findCaptures(parent, groupId)[0];
    const artifact = findCaptures(own, /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/g)[0];
    return toPackageNames("maven", group && artifact ? [`${group}:${artifact}`] : []);
  },
  "mix.exs": parseCaptures("hex", /\bapp:\s*:(\w+)/g),
  "pubspec.yaml": parseCaptures("pub", /^name:[ \t]*["']?(\w+)/gm),
  "Package.swift": parseCaptures("swift", /\bname:\s*"([\w.-]+)"/g),
  DESCRIPTION: parseCaptures("cran", /^Package:[ \t]*([A-Za-z][\w.]*)/gm),
  "*.gemspec": parseCaptures("rubygems", /\.name\s*=\s*["']([\w.-]+)["']/g),
  "*.podspec": parseCaptures("cocoapods", /\.name\s*=\s*["']([\w.+-]+)["']/g),
  "*.{cs,fs,vb}proj": (text, path) =>
    toPackageNames("nuget", [
      ...findCaptures(text, /<PackageId>\s*([\w.-]+)\s*<\/PackageId>/g),
      path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf(".")),
    ]),
};

/** Finds the parser for a file that defines a package; undefined for other files. */
export const findDefining = joinFileTables(defining);

function textOf(value: unknown): string {
  return isText(value) ? value.trim() : "";
}
