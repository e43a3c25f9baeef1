/** Parses manifests, the files in which projects list their packages. No package is found in an invalid manifest. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { FileTable } from "./file-table.ts";
import {
  findCaptures,
  isText,
  listFieldKeys,
  normalisePypi,
  type Parse,
  parseCaptures,
  parseFields,
  parseToml,
  toPackageNames,
  toRecord,
} from "./package-names.ts";

/** Finds no package that a locked list has only because another package needs it: `# via sphinx`. */
const requirement =
  /^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:[<>=!~;@#]|$)(?!(?:[^\n]*\\\n)*[^\n]*\n[ \t]+# via(?: |\n[ \t]+#[ \t]+)[^-\s])/gm;

const parseRequirements = (text: string, isForDevelopment = false) =>
  toPackageNames("pypi", findCaptures(text, requirement).map(normalisePypi), isForDevelopment);

/** The parsers of manifests, by file name. @package */
export const manifests: FileTable<Parse> = {
  "package.json": parseFields("npm", tryParseJson, {
    needed: "dependencies peerDependencies optionalDependencies",
    forDevelopment: "devDependencies",
  }),
  "composer.json": parseFields("composer", tryParseJson, {
    needed: "require",
    forDevelopment: "require-dev",
  }),
  "pyproject.toml": (text) => {
    const project = toRecord(parseToml(text));
    const standard = toRecord(project["project"]);
    const poetry = toRecord(toRecord(project["tool"])["poetry"]);
    const groups = Object.values(toRecord(poetry["group"]));
    const namedIn = (lists: readonly unknown[]) =>
      lists
        .flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []))
        .flatMap((entry) => /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(entry) ?? []);
    const needed = namedIn([
      standard["dependencies"],
      ...Object.values(toRecord(standard["optional-dependencies"])),
    ]);
    const other = namedIn([
      ...Object.values(toRecord(project["dependency-groups"])),
      toRecord(project["build-system"])["requires"],
    ]);
    const ofGroups = groups.flatMap((group) => listFieldKeys(group, "dependencies"));
    const toNames = (names: readonly string[], isForDevelopment: boolean) =>
      toPackageNames("pypi", names.map(normalisePypi), isForDevelopment).filter(
        ({ spellings: [name] }) => name !== "python",
      );
    return [
      ...toNames([...needed, ...listFieldKeys(poetry, "dependencies")], false),
      ...toNames([...other, ...listFieldKeys(poetry, "dev-dependencies"), ...ofGroups], true),
    ];
  },
  Pipfile: parseFields(
    "pypi",
    parseToml,
    { needed: "packages", forDevelopment: "dev-packages" },
    normalisePypi,
  ),
  "setup.py": parseCaptures(
    "pypi",
    /["']([A-Za-z][A-Za-z0-9._-]+)\s*(?:[<>=!~][^"']*)?["']/g,
    normalisePypi,
  ),
  "setup.cfg": (text) => {
    const block =
      /^(install_requires|tests_require|setup_requires)[ \t]*=((?:.*\n(?=[ \t]|\n))*.*)/gm;
    return [...text.matchAll(block)].flatMap(([, field, entries = ""]) =>
      parseRequirements(entries, field !== "install_requires"),
    );
  },
  "Cargo.toml": (text) => {
    const manifest = toRecord(parseToml(text));
    const roots = [manifest, manifest["workspace"], ...Object.values(toRecord(manifest["target"]))];
    const namedIn = (fields: string) =>
      roots.flatMap((root) => listFieldKeys(root, fields)).map((name) => name.replaceAll("_", "-"));
    return [
      ...toPackageNames("cargo", namedIn("dependencies")),
      ...toPackageNames("cargo", namedIn("dev-dependencies build-dependencies"), true),
    ];
  },
  // Leaves out indirect dependencies.
  "go.mod": parseCaptures(
    "go",
    /^[ \t]*(?:require\s+)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s]+)\s+v\d(?!.*\/\/ indirect)/gm,
  ),
  "pom.xml": (text) => {
    const entry =
      /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>((?:(?!<\/dependency>|<groupId>)[\s\S])*)/g;
    return [...text.matchAll(entry)].flatMap(([, group, artifact, rest = ""]) =>
      toPackageNames("maven", [`${group}:${artifact}`], /<scope>\s*test\s*<\/scope>/.test(rest)),
    );
  },
  "build.gradle build.gradle.kts": (text) => {
    const library = /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g;
    const plugin = /\bid\s*(?:\(\s*)?["']([\w.-]+)["']/g;
    return text.split("\n").flatMap((line) => {
      const isForDevelopment = /^\s*(test|\w+Test)[A-Z]\w*\b/.test(line);
      return toPackageNames("maven", findCaptures(line, library, plugin), isForDevelopment);
    });
  },
  /** Parses `gradle/libs.versions.toml`. All its libraries count as needed, because the file does not mark test libraries. */
  "libs.versions.toml": (text) => {
    const libraries = Object.values(toRecord(toRecord(parseToml(text))["libraries"]));
    const nameOf = (entry: unknown): string => {
      const { module, group, name } = toRecord(entry);
      const whole = isText(entry) ? entry.split(":").slice(0, 2).join(":") : module;
      return isText(whole) ? whole : `${group}:${name}`;
    };
    return toPackageNames("maven", libraries.map(nameOf));
  },
  "Gemfile *.gemspec": (text) => {
    const needed = /^[ \t]*(?:gem|\w+\.add(?:_runtime)?_dependency)[\s(]+["']([\w.-]+)["']/gm;
    const other = /^[ \t]*\w+\.add_development_dependency[\s(]+["']([\w.-]+)["']/gm;
    return [
      ...toPackageNames("rubygems", findCaptures(text, needed)),
      ...toPackageNames("rubygems", findCaptures(text, other), true),
    ];
  },
  "mix.exs": (text) => {
    const isForDevelopment =
      /\bonly:\s*(:(dev|test)\b|\[\s*:(dev|test)\b(\s*,\s*:(dev|test)\b)*(\s*,)?\s*\])/;
    return [...text.matchAll(/\{\s*:(\w+)\s*,([^{}]*)/g)].flatMap(([, name = "", rest = ""]) =>
      toPackageNames("hex", [name], isForDevelopment.test(rest)),
    );
  },
  "pubspec.yaml": (text) => {
    const block = /^(dev_)?dependencies:\s*\n((?:(?:[ \t]+.*|)\n?)*)/gm;
    return [...text.matchAll(block)].flatMap(([, dev, entries = ""]) =>
      toPackageNames("pub", findCaptures(entries, /^ {2}(\w+):/gm), Boolean(dev)),
    );
  },
  "Package.swift": parseCaptures("swift", /url:\s*"https?:\/\/(?:www\.)?([^"]+?)(?:\.git)?"/g),
  Podfile: parseCaptures("cocoapods", /^[ \t]*pod\s+["']([\w+./-]+)["']/gm),
  /** Parses the dependencies of an R package. */
  DESCRIPTION: (text) => {
    if (!/^Package:/m.test(text)) return [];
    const block = /^(Depends|Imports|LinkingTo|Suggests):((?:.*\n(?=[ \t]))*.*)/gm;
    return [...text.matchAll(block)].flatMap(([, field, entries = ""]) => {
      const names = findCaptures(entries, /(?:^|,)\s*([A-Za-z][\w.]*)/g);
      return toPackageNames(
        "cran",
        names.filter((name) => name !== "R"),
        field === "Suggests",
      );
    });
  },
  "{dev,test,lint,doc,docs}[-_]requirements.{txt,in} requirements[-_]{dev,test,tests,lint,doc,docs}*.{txt,in}":
    (text) => parseRequirements(text, true),
  "requirements*.{txt,in}": (text) => parseRequirements(text),
  "*.{cs,fs,vb}proj packages.config Directory.Packages.props": parseCaptures(
    "nuget",
    /<(?:PackageReference|PackageVersion|package)\s[^<>]*?(?:Include|id)="([^"]+)"/gi,
  ),
  /** Parses a conda environment. Most packages of conda have the same name on PyPI. */
  "environment*.{yml,yaml}": parseCaptures(
    "pypi",
    /^[ \t]+-[ \t]+(?:[\w-]+::)?([A-Za-z0-9][\w.-]*)(?:[ \t]*[=<>!~[].*)?$/gm,
    (name) => normalisePypi(name).replace(/^(python|pip)$/, ""),
  ),
};
