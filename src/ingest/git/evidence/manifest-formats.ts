/** The formats in which languages' ecosystems list packages. */
import {
  asObject,
  captures,
  forDevelopment,
  isText,
  named,
  type Parse,
  parseJson,
  parseToml,
  pypi,
} from "./manifest-text.ts";

/** @package */
export const npm: Parse = (text) => {
  const manifest = asObject(parseJson(text));
  const namedIn = (field: string) => named("npm", Object.keys(asObject(manifest[field])));
  return [
    ...["dependencies", "peerDependencies", "optionalDependencies"].flatMap(namedIn),
    ...forDevelopment(namedIn("devDependencies")),
  ];
};

/** @package */
export const composer: Parse = (text) => {
  const manifest = asObject(parseJson(text));
  const namedIn = (field: string) => named("composer", Object.keys(asObject(manifest[field])));
  return [...namedIn("require"), ...forDevelopment(namedIn("require-dev"))];
};

/** @package */
export const requirements: Parse = (text) =>
  named(
    "pypi",
    captures(
      text,
      /^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:[<>=!~;@#]|$)/gm,
    ).map(pypi),
  );

/** @package */
export const pyproject: Parse = (text) => {
  const project = asObject(parseToml(text));
  const standard = asObject(project["project"]);
  const poetry = asObject(asObject(project["tool"])["poetry"]);
  const groups = Object.values(asObject(poetry["group"])).flatMap((group) =>
    Object.keys(asObject(asObject(group)["dependencies"])),
  );
  const namedIn = (lists: readonly unknown[]) =>
    lists
      .flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []))
      .flatMap((entry) => /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(entry) ?? []);
  const keysOf = (field: string) => Object.keys(asObject(poetry[field]));
  const needed = [
    standard["dependencies"],
    ...Object.values(asObject(standard["optional-dependencies"])),
  ];
  const other = [
    ...Object.values(asObject(project["dependency-groups"])),
    asObject(project["build-system"])["requires"],
  ];
  const pypiNames = (names: readonly string[]) =>
    named(
      "pypi",
      names.map(pypi).filter((name) => name !== "python"),
    );
  return [
    ...pypiNames([...namedIn(needed), ...keysOf("dependencies")]),
    ...forDevelopment(pypiNames([...namedIn(other), ...keysOf("dev-dependencies"), ...groups])),
  ];
};

/** @package */
export const setupPy: Parse = (text) =>
  named(
    "pypi",
    captures(text, /["']([A-Za-z][A-Za-z0-9._-]+)\s*(?:[<>=!~][^"']*)?["']/g).map(pypi),
  );

/** @package */
export const setupCfg: Parse = (text) => {
  const block =
    /^(install_requires|tests_require|setup_requires)[ \t]*=((?:.*\n(?=[ \t]|\n))*.*)/gm;
  return [...text.matchAll(block)].flatMap(([, field, entries = ""]) => {
    const names = requirements(entries);
    return field === "install_requires" ? names : forDevelopment(names);
  });
};

/** @package */
export const pipfile: Parse = (text) => {
  const file = asObject(parseToml(text));
  const namedIn = (field: string) => named("pypi", Object.keys(asObject(file[field])).map(pypi));
  return [...namedIn("packages"), ...forDevelopment(namedIn("dev-packages"))];
};

/** @package The packages of an R package, in the fields of its DESCRIPTION. */
export const rDescription: Parse = (text) => {
  if (!/^Package:/m.test(text)) return [];
  const block = /^(Depends|Imports|LinkingTo|Suggests):((?:.*\n(?=[ \t]))*.*)/gm;
  return [...text.matchAll(block)].flatMap(([, field, entries = ""]) => {
    const names = named("cran", captures(entries, /(?:^|,)\s*([A-Za-z][\w.]*)/g)).filter(
      ({ spellings: [name] }) => name !== "R",
    );
    return field === "Suggests" ? forDevelopment(names) : names;
  });
};

/** @package The packages of a conda environment, most of which are called as on PyPI. */
export const conda: Parse = (text) =>
  named(
    "pypi",
    captures(text, /^[ \t]+-[ \t]+(?:[\w-]+::)?([A-Za-z0-9][\w.-]*)(?:[ \t]*[=<>!~[].*)?$/gm).map(
      pypi,
    ),
  ).filter(({ spellings: [name] }) => name !== "python" && name !== "pip");

/** @package */
export const cargo: Parse = (text) => {
  const manifest = asObject(parseToml(text));
  const roots = [
    manifest,
    asObject(manifest["workspace"]),
    ...Object.values(asObject(manifest["target"])).map(asObject),
  ];
  const namedIn = (field: string) =>
    named(
      "cargo",
      roots.flatMap((root) =>
        Object.keys(asObject(root[field])).map((name) => name.replaceAll("_", "-")),
      ),
    );
  return [
    ...namedIn("dependencies"),
    ...forDevelopment([...namedIn("dev-dependencies"), ...namedIn("build-dependencies")]),
  ];
};

/** @package Skips indirect dependencies, which only other packages need. */
export const goMod: Parse = (text) =>
  named(
    "go",
    captures(
      text,
      /^[ \t]*(?:require\s+)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s]+)\s+v\d(?!.*\/\/ indirect)/gm,
    ),
  );

/** @package */
export const maven: Parse = (text) => {
  const entry =
    /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>((?:(?!<\/dependency>|<groupId>)[\s\S])*)/g;
  return [...text.matchAll(entry)].flatMap(([, group, artifact, rest = ""]) => {
    const names = named("maven", [`${group}:${artifact}`]);
    return /<scope>\s*test\s*<\/scope>/.test(rest) ? forDevelopment(names) : names;
  });
};

/** @package */
export const gradle: Parse = (text) =>
  text.split("\n").flatMap((line) => {
    const names = named("maven", [
      ...captures(line, /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g),
      ...captures(line, /\bid\s*(?:\(\s*)?["']([\w.-]+)["']/g),
    ]);
    return /^\s*(test|\w+Test)[A-Z]\w*\b/.test(line) ? forDevelopment(names) : names;
  });

/** @package Parses `gradle/libs.versions.toml`; only the build files say which libraries are for tests. */
export const gradleCatalog: Parse = (text) => {
  const libraries = Object.values(asObject(asObject(parseToml(text))["libraries"]));
  const nameOf = (entry: unknown): string => {
    const { module, group, name } = asObject(entry);
    const whole = isText(entry) ? entry.split(":").slice(0, 2).join(":") : module;
    return isText(whole) ? whole : `${group}:${name}`;
  };
  return named("maven", libraries.map(nameOf));
};

/** @package */
export const gems: Parse = (text) => [
  ...named(
    "rubygems",
    captures(text, /^[ \t]*(?:gem|\w+\.add(?:_runtime)?_dependency)[\s(]+["']([\w.-]+)["']/gm),
  ),
  ...forDevelopment(
    named(
      "rubygems",
      captures(text, /^[ \t]*\w+\.add_development_dependency[\s(]+["']([\w.-]+)["']/gm),
    ),
  ),
];

/** @package */
export const nuget: Parse = (text) =>
  named(
    "nuget",
    captures(
      text,
      /<(?:PackageReference|PackageVersion|package)\s[^<>]*?(?:Include|id)="([^"]+)"/gi,
    ),
  );

/** @package */
export const mix: Parse = (text) =>
  [...text.matchAll(/\{\s*:(\w+)\s*,([^{}]*)/g)].flatMap(([, name = "", rest = ""]) => {
    const names = named("hex", [name]);
    return /\bonly:\s*(:(dev|test)\b|\[\s*:(dev|test)\b(\s*,\s*:(dev|test)\b)*(\s*,)?\s*\])/.test(
      rest,
    )
      ? forDevelopment(names)
      : names;
  });

/** @package */
export const pub: Parse = (text) => {
  const block = /^(dev_)?dependencies:\s*\n((?:(?:[ \t]+.*|)\n?)*)/gm;
  return [...text.matchAll(block)].flatMap(([, dev, entries = ""]) => {
    const names = named("pub", captures(entries, /^ {2}(\w+):/gm));
    return dev ? forDevelopment(names) : names;
  });
};

/** @package */
export const swiftPackages: Parse = (text) =>
  named("swift", captures(text, /url:\s*"https?:\/\/(?:www\.)?([^"]+?)(?:\.git)?"/g));

/** @package */
export const pods: Parse = (text) =>
  named("cocoapods", captures(text, /^[ \t]*pod\s+["']([\w+./-]+)["']/gm));
