/** Parses the manifests in which languages' ecosystems list packages. A manifest that does not parse names no packages. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { FileTable } from "./file-table.ts";
import {
  findCaptures,
  isText,
  listKeys,
  normalisePypi,
  type Parse,
  parseCaptures,
  parseFields,
  parseToml,
  toPackageNames,
  toRecord,
} from "./package-names.ts";

const npm = parseFields("npm", tryParseJson, {
  needed: "dependencies peerDependencies optionalDependencies",
  forDevelopment: "devDependencies",
});

const composer = parseFields("composer", tryParseJson, {
  needed: "require",
  forDevelopment: "require-dev",
});

const parseRequirements = (text: string, isForDevelopment = false) =>
  toPackageNames(
    "pypi",
    findCaptures(
      text,
      /^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:[<>=!~;@#]|$)/gm,
    ).map(normalisePypi),
    isForDevelopment,
  );

const pyproject: Parse = (text) => {
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
  const ofGroups = groups.flatMap((group) => listKeys(group, "dependencies"));
  const toNames = (names: readonly string[], isForDevelopment: boolean) =>
    toPackageNames("pypi", names.map(normalisePypi), isForDevelopment).filter(
      ({ spellings: [name] }) => name !== "python",
    );
  return [
    ...toNames([...needed, ...listKeys(poetry, "dependencies")], false),
    ...toNames([...other, ...listKeys(poetry, "dev-dependencies"), ...ofGroups], true),
  ];
};

const setupPy = parseCaptures(
  "pypi",
  /["']([A-Za-z][A-Za-z0-9._-]+)\s*(?:[<>=!~][^"']*)?["']/g,
  normalisePypi,
);

const setupCfg: Parse = (text) => {
  const block =
    /^(install_requires|tests_require|setup_requires)[ \t]*=((?:.*\n(?=[ \t]|\n))*.*)/gm;
  return [...text.matchAll(block)].flatMap(([, field, entries = ""]) =>
    parseRequirements(entries, field !== "install_requires"),
  );
};

const pipfile = parseFields(
  "pypi",
  parseToml,
  { needed: "packages", forDevelopment: "dev-packages" },
  normalisePypi,
);

/** The packages of an R package, in the fields of its DESCRIPTION. */
const rDescription: Parse = (text) => {
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
};

/** The packages of a conda environment, most of which are called as on PyPI. */
const conda = parseCaptures(
  "pypi",
  /^[ \t]+-[ \t]+(?:[\w-]+::)?([A-Za-z0-9][\w.-]*)(?:[ \t]*[=<>!~[].*)?$/gm,
  (name) => normalisePypi(name).replace(/^(python|pip)$/, ""),
);

const cargo: Parse = (text) => {
  const manifest = toRecord(parseToml(text));
  const roots = [manifest, manifest["workspace"], ...Object.values(toRecord(manifest["target"]))];
  const namedIn = (field: string) =>
    roots.flatMap((root) => listKeys(root, field)).map((name) => name.replaceAll("_", "-"));
  return [
    ...toPackageNames("cargo", namedIn("dependencies")),
    ...toPackageNames(
      "cargo",
      [...namedIn("dev-dependencies"), ...namedIn("build-dependencies")],
      true,
    ),
  ];
};

/** Skips indirect dependencies, which only other packages need. */
const goMod = parseCaptures(
  "go",
  /^[ \t]*(?:require\s+)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s]+)\s+v\d(?!.*\/\/ indirect)/gm,
);

const maven: Parse = (text) => {
  const entry =
    /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>((?:(?!<\/dependency>|<groupId>)[\s\S])*)/g;
  return [...text.matchAll(entry)].flatMap(([, group, artifact, rest = ""]) =>
    toPackageNames("maven", [`${group}:${artifact}`], /<scope>\s*test\s*<\/scope>/.test(rest)),
  );
};

const gradle: Parse = (text) =>
  text
    .split("\n")
    .flatMap((line) =>
      toPackageNames(
        "maven",
        findCaptures(
          line,
          /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g,
          /\bid\s*(?:\(\s*)?["']([\w.-]+)["']/g,
        ),
        /^\s*(test|\w+Test)[A-Z]\w*\b/.test(line),
      ),
    );

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
  ...toPackageNames(
    "rubygems",
    findCaptures(text, /^[ \t]*\w+\.add_development_dependency[\s(]+["']([\w.-]+)["']/gm),
    true,
  ),
];

const nuget = parseCaptures(
  "nuget",
  /<(?:PackageReference|PackageVersion|package)\s[^<>]*?(?:Include|id)="([^"]+)"/gi,
);

const mix: Parse = (text) => {
  const isForDevelopment =
    /\bonly:\s*(:(dev|test)\b|\[\s*:(dev|test)\b(\s*,\s*:(dev|test)\b)*(\s*,)?\s*\])/;
  return [...text.matchAll(/\{\s*:(\w+)\s*,([^{}]*)/g)].flatMap(([, name = "", rest = ""]) =>
    toPackageNames("hex", [name], isForDevelopment.test(rest)),
  );
};

const pub: Parse = (text) => {
  const block = /^(dev_)?dependencies:\s*\n((?:(?:[ \t]+.*|)\n?)*)/gm;
  return [...text.matchAll(block)].flatMap(([, dev, entries = ""]) =>
    toPackageNames("pub", findCaptures(entries, /^ {2}(\w+):/gm), Boolean(dev)),
  );
};

const swiftPackages = parseCaptures("swift", /url:\s*"https?:\/\/(?:www\.)?([^"]+?)(?:\.git)?"/g);

const pods = parseCaptures("cocoapods", /^[ \t]*pod\s+["']([\w+./-]+)["']/gm);

/** @package */
export const manifests: FileTable<Parse> = {
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
    "build.gradle build.gradle.kts": gradle,
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
      (text) => parseRequirements(text, true),
    ],
    [/^requirements[^/]*\.(txt|in)$/, (text) => parseRequirements(text)],
    [/\.(cs|fs|vb)proj$|^packages\.config$|^Directory\.Packages\.props$/, nuget],
    [/\.gemspec$/, gems],
    [/^environment[^/]*\.ya?ml$/, conda],
  ],
};
