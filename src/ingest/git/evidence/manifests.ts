/** Parses the manifests in which languages' ecosystems list packages. A manifest that does not parse names no packages. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import {
  findCaptures,
  isText,
  type ManifestTable,
  markForDevelopment,
  normalisePypi,
  type Parse,
  parseToml,
  toPackageNames,
  toRecord,
} from "./manifest-text.ts";
import { nativeBuilds } from "./native-builds.ts";
import { packageLists } from "./package-lists.ts";
import { toolFiles, toolFolders } from "./tool-files.ts";

const npm: Parse = (text) => {
  const manifest = toRecord(tryParseJson(text));
  const namedIn = (field: string) => toPackageNames("npm", Object.keys(toRecord(manifest[field])));
  return [
    ...["dependencies", "peerDependencies", "optionalDependencies"].flatMap(namedIn),
    ...markForDevelopment(namedIn("devDependencies")),
  ];
};

const composer: Parse = (text) => {
  const manifest = toRecord(tryParseJson(text));
  const namedIn = (field: string) =>
    toPackageNames("composer", Object.keys(toRecord(manifest[field])));
  return [...namedIn("require"), ...markForDevelopment(namedIn("require-dev"))];
};

const requirements: Parse = (text) =>
  toPackageNames(
    "pypi",
    findCaptures(
      text,
      /^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:[<>=!~;@#]|$)/gm,
    ).map(normalisePypi),
  );

const pyproject: Parse = (text) => {
  const project = toRecord(parseToml(text));
  const standard = toRecord(project["project"]);
  const poetry = toRecord(toRecord(project["tool"])["poetry"]);
  const groups = Object.values(toRecord(poetry["group"])).flatMap((group) =>
    Object.keys(toRecord(toRecord(group)["dependencies"])),
  );
  const namedIn = (lists: readonly unknown[]) =>
    lists
      .flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []))
      .flatMap((entry) => /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(entry) ?? []);
  const keysOf = (field: string) => Object.keys(toRecord(poetry[field]));
  const needed = [
    standard["dependencies"],
    ...Object.values(toRecord(standard["optional-dependencies"])),
  ];
  const other = [
    ...Object.values(toRecord(project["dependency-groups"])),
    toRecord(project["build-system"])["requires"],
  ];
  const pypiNames = (names: readonly string[]) =>
    toPackageNames(
      "pypi",
      names.map(normalisePypi).filter((name) => name !== "python"),
    );
  return [
    ...pypiNames([...namedIn(needed), ...keysOf("dependencies")]),
    ...markForDevelopment(pypiNames([...namedIn(other), ...keysOf("dev-dependencies"), ...groups])),
  ];
};

const setupPy: Parse = (text) =>
  toPackageNames(
    "pypi",
    findCaptures(text, /["']([A-Za-z][A-Za-z0-9._-]+)\s*(?:[<>=!~][^"']*)?["']/g).map(
      normalisePypi,
    ),
  );

const setupCfg: Parse = (text) => {
  const block =
    /^(install_requires|tests_require|setup_requires)[ \t]*=((?:.*\n(?=[ \t]|\n))*.*)/gm;
  return [...text.matchAll(block)].flatMap(([, field, entries = ""]) => {
    const names = requirements(entries);
    return field === "install_requires" ? names : markForDevelopment(names);
  });
};

const pipfile: Parse = (text) => {
  const file = toRecord(parseToml(text));
  const namedIn = (field: string) =>
    toPackageNames("pypi", Object.keys(toRecord(file[field])).map(normalisePypi));
  return [...namedIn("packages"), ...markForDevelopment(namedIn("dev-packages"))];
};

/** The packages of an R package, in the fields of its DESCRIPTION. */
const rDescription: Parse = (text) => {
  if (!/^Package:/m.test(text)) return [];
  const block = /^(Depends|Imports|LinkingTo|Suggests):((?:.*\n(?=[ \t]))*.*)/gm;
  return [...text.matchAll(block)].flatMap(([, field, entries = ""]) => {
    const names = toPackageNames(
      "cran",
      findCaptures(entries, /(?:^|,)\s*([A-Za-z][\w.]*)/g),
    ).filter(({ spellings: [name] }) => name !== "R");
    return field === "Suggests" ? markForDevelopment(names) : names;
  });
};

/** The packages of a conda environment, most of which are called as on PyPI. */
const conda: Parse = (text) =>
  toPackageNames(
    "pypi",
    findCaptures(
      text,
      /^[ \t]+-[ \t]+(?:[\w-]+::)?([A-Za-z0-9][\w.-]*)(?:[ \t]*[=<>!~[].*)?$/gm,
    ).map(normalisePypi),
  ).filter(({ spellings: [name] }) => name !== "python" && name !== "pip");

const cargo: Parse = (text) => {
  const manifest = toRecord(parseToml(text));
  const roots = [
    manifest,
    toRecord(manifest["workspace"]),
    ...Object.values(toRecord(manifest["target"])).map(toRecord),
  ];
  const namedIn = (field: string) =>
    toPackageNames(
      "cargo",
      roots.flatMap((root) =>
        Object.keys(toRecord(root[field])).map((name) => name.replaceAll("_", "-")),
      ),
    );
  return [
    ...namedIn("dependencies"),
    ...markForDevelopment([...namedIn("dev-dependencies"), ...namedIn("build-dependencies")]),
  ];
};

/** Skips indirect dependencies, which only other packages need. */
const goMod: Parse = (text) =>
  toPackageNames(
    "go",
    findCaptures(
      text,
      /^[ \t]*(?:require\s+)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s]+)\s+v\d(?!.*\/\/ indirect)/gm,
    ),
  );

const maven: Parse = (text) => {
  const entry =
    /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>((?:(?!<\/dependency>|<groupId>)[\s\S])*)/g;
  return [...text.matchAll(entry)].flatMap(([, group, artifact, rest = ""]) => {
    const names = toPackageNames("maven", [`${group}:${artifact}`]);
    return /<scope>\s*test\s*<\/scope>/.test(rest) ? markForDevelopment(names) : names;
  });
};

const gradle: Parse = (text) =>
  text.split("\n").flatMap((line) => {
    const names = toPackageNames("maven", [
      ...findCaptures(line, /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g),
      ...findCaptures(line, /\bid\s*(?:\(\s*)?["']([\w.-]+)["']/g),
    ]);
    return /^\s*(test|\w+Test)[A-Z]\w*\b/.test(line) ? markForDevelopment(names) : names;
  });

/** Parses `gradle/libs.versions.toml`; only the build files say which libraries are for tests. */
const gradleCatalog: Parse = (text) => {
  const libraries = Object.values(toRecord(toRecord(parseToml(text))["libraries"]));
  const nameOf = (entry: unknown): string => {
    const { module, group, name } = toRecord(entry);
    const whole = isText(entry) ? entry.split(":").slice(0, 2).join(":") : module;
    return isText(whole) ? whole : `${group}:${name}`;
  };
  return toPackageNames("maven", libraries.map(nameOf));
};

const gems: Parse = (text) => [
  ...toPackageNames(
    "rubygems",
    findCaptures(text, /^[ \t]*(?:gem|\w+\.add(?:_runtime)?_dependency)[\s(]+["']([\w.-]+)["']/gm),
  ),
  ...markForDevelopment(
    toPackageNames(
      "rubygems",
      findCaptures(text, /^[ \t]*\w+\.add_development_dependency[\s(]+["']([\w.-]+)["']/gm),
    ),
  ),
];

const nuget: Parse = (text) =>
  toPackageNames(
    "nuget",
    findCaptures(
      text,
      /<(?:PackageReference|PackageVersion|package)\s[^<>]*?(?:Include|id)="([^"]+)"/gi,
    ),
  );

const mix: Parse = (text) =>
  [...text.matchAll(/\{\s*:(\w+)\s*,([^{}]*)/g)].flatMap(([, name = "", rest = ""]) => {
    const names = toPackageNames("hex", [name]);
    return /\bonly:\s*(:(dev|test)\b|\[\s*:(dev|test)\b(\s*,\s*:(dev|test)\b)*(\s*,)?\s*\])/.test(
      rest,
    )
      ? markForDevelopment(names)
      : names;
  });

const pub: Parse = (text) => {
  const block = /^(dev_)?dependencies:\s*\n((?:(?:[ \t]+.*|)\n?)*)/gm;
  return [...text.matchAll(block)].flatMap(([, dev, entries = ""]) => {
    const names = toPackageNames("pub", findCaptures(entries, /^ {2}(\w+):/gm));
    return dev ? markForDevelopment(names) : names;
  });
};

const swiftPackages: Parse = (text) =>
  toPackageNames("swift", findCaptures(text, /url:\s*"https?:\/\/(?:www\.)?([^"]+?)(?:\.git)?"/g));

const pods: Parse = (text) =>
  toPackageNames("cocoapods", findCaptures(text, /^[ \t]*pod\s+["']([\w+./-]+)["']/gm));

const ofLanguages: ManifestTable = {
  byName: {
    "package.json": npm,
    "composer.json": composer,
    "pyproject.toml": pyproject,
    Pipfile: pipfile,
    "setup.py": setupPy,
    "setup.cfg": setupCfg,
    "Cargo.toml": cargo,
    "go.mod": goMod,
    "pom.xml": maven,
    "build.gradle": gradle,
    "build.gradle.kts": gradle,
    "libs.versions.toml": gradleCatalog,
    Gemfile: gems,
    "mix.exs": mix,
    "pubspec.yaml": pub,
    "Package.swift": swiftPackages,
    Podfile: pods,
    DESCRIPTION: rDescription,
  },
  byPattern: [
    [
      /^((dev|test|lint|docs?)[-_]requirements|requirements[-_](dev|tests?|lint|docs?)[^/]*)\.(txt|in)$/,
      (text) => markForDevelopment(requirements(text)),
    ],
    [/^requirements[^/]*\.(txt|in)$/, requirements],
    [/\.(cs|fs|vb)proj$|^packages\.config$|^Directory\.Packages\.props$/, nuget],
    [/\.gemspec$/, gems],
    [/^environment[^/]*\.ya?ml$/, conda],
  ],
};

const tables = [ofLanguages, nativeBuilds, packageLists, toolFiles];
/** A map instead of an object, since a file may be called `constructor`. */
const byName = new Map(tables.flatMap((table) => Object.entries(table.byName)));
const byPattern = tables.flatMap((table) => table.byPattern);

/** The parser of a path; undefined when it is no manifest. */
export function findManifest(path: string): Parse | undefined {
  const folder = toolFolders.find(([pattern]) => pattern.test(path));
  if (folder) return folder[1];
  const base = path.slice(path.lastIndexOf("/") + 1);
  return byName.get(base) ?? byPattern.find(([pattern]) => pattern.test(base))?.[1];
}
