/** Parses manifests into packages by ecosystem. A manifest that does not parse has none. */
export interface PackageName {
  readonly ecosystem: string;
  /** A development dependency, which is evidence only if it is a tool. */
  readonly isForDevelopment?: boolean;
  /** Possible names in the ecosystem, most exact first. */
  readonly spellings: readonly [string, ...string[]];
}

type Parse = (text: string) => PackageName[];

export interface Manifest {
  readonly parse: Parse;
  /** Whether it only lists packages, so that an edit is no evidence; editing a Dockerfile or a workflow is. */
  readonly lists: boolean;
}

/** The manifest format of a path; undefined when it is no manifest. */
export function findManifest(path: string): Manifest | undefined {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const parse = isWorkflow.test(path)
    ? actions
    : (byName.get(base) ?? byPattern.find(([pattern]) => pattern.test(base))?.[1]);
  return parse && { parse, lists: !ofTools.has(parse) };
}

const isWorkflow = /(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/;

const npm: Parse = (text) => {
  const manifest = asObject(parseJson(text));
  const namedIn = (field: string) => named("npm", Object.keys(asObject(manifest[field])));
  return [
    ...["dependencies", "peerDependencies", "optionalDependencies"].flatMap(namedIn),
    ...forDevelopment(namedIn("devDependencies")),
  ];
};

const composer: Parse = (text) => {
  const manifest = asObject(parseJson(text));
  const namedIn = (field: string) => named("composer", Object.keys(asObject(manifest[field])));
  return [...namedIn("require"), ...forDevelopment(namedIn("require-dev"))];
};

const requirements: Parse = (text) =>
  named(
    "pypi",
    captures(
      text,
      /^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:[<>=!~;@#]|$)/gm,
    ).map(pypi),
  );

const pyproject: Parse = (text) => {
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

const setupPy: Parse = (text) =>
  named(
    "pypi",
    captures(text, /["']([A-Za-z][A-Za-z0-9._-]+)\s*(?:[<>=!~][^"']*)?["']/g).map(pypi),
  );

const cargo: Parse = (text) => {
  const manifest = asObject(parseToml(text));
  const roots = [
    manifest,
    asObject(manifest["workspace"]),
    ...Object.values(asObject(manifest["target"])).map(asObject),
  ];
  const namedIn = (field: string) =>
    named(
      "cargo",
      roots.flatMap((root) => Object.keys(asObject(root[field]))),
    );
  return [
    ...namedIn("dependencies"),
    ...forDevelopment([...namedIn("dev-dependencies"), ...namedIn("build-dependencies")]),
  ];
};

/** Skips indirect dependencies, which only other packages need. */
const goMod: Parse = (text) =>
  named(
    "go",
    captures(
      text,
      /^[ \t]*(?:require\s+)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s]+)\s+v\d(?!.*\/\/ indirect)/gm,
    ),
  );

const maven: Parse = (text) => {
  const entry =
    /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>((?:(?!<\/dependency>|<groupId>)[\s\S])*)/g;
  return [...text.matchAll(entry)].flatMap(([, group, artifact, rest = ""]) => {
    const names = named("maven", [`${group}:${artifact}`]);
    return /<scope>\s*test\s*<\/scope>/.test(rest) ? forDevelopment(names) : names;
  });
};

const gradle: Parse = (text) =>
  text.split("\n").flatMap((line) => {
    const names = named("maven", [
      ...captures(line, /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g),
      ...captures(line, /\bid\s*(?:\(\s*)?["']([\w.-]+)["']/g),
    ]);
    return /^\s*(test|\w+Test)[A-Z]\w*\b/.test(line) ? forDevelopment(names) : names;
  });

/** Parses `gradle/libs.versions.toml`; only the build files say which libraries are for tests. */
const gradleCatalog: Parse = (text) => {
  const libraries = Object.values(asObject(asObject(parseToml(text))["libraries"]));
  const nameOf = (entry: unknown): string => {
    const { module, group, name } = asObject(entry);
    const whole = isText(entry) ? entry.split(":").slice(0, 2).join(":") : module;
    return isText(whole) ? whole : `${group}:${name}`;
  };
  return named("maven", libraries.map(nameOf));
};

const gems: Parse = (text) => [
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

const nuget: Parse = (text) =>
  named(
    "nuget",
    captures(
      text,
      /<(?:PackageReference|PackageVersion|package)\s[^<>]*?(?:Include|id)="([^"]+)"/gi,
    ),
  );

const mix: Parse = (text) =>
  [...text.matchAll(/\{\s*:(\w+)\s*,([^{}]*)/g)].flatMap(([, name = "", rest = ""]) => {
    const names = named("hex", [name]);
    return /\bonly:\s*(:(dev|test)\b|\[\s*:(dev|test)\b(\s*,\s*:(dev|test)\b)*(\s*,)?\s*\])/.test(
      rest,
    )
      ? forDevelopment(names)
      : names;
  });

const pub: Parse = (text) => {
  const block = /^(dev_)?dependencies:\s*\n((?:(?:[ \t]+.*|)\n?)*)/gm;
  return [...text.matchAll(block)].flatMap(([, dev, entries = ""]) => {
    const names = named("pub", captures(entries, /^ {2}(\w+):/gm));
    return dev ? forDevelopment(names) : names;
  });
};

const swiftPackages: Parse = (text) =>
  named("swift", captures(text, /url:\s*"https?:\/\/(?:www\.)?([^"]+?)(?:\.git)?"/g));

const pods: Parse = (text) =>
  named("cocoapods", captures(text, /^[ \t]*pod\s+["']([\w+./-]+)["']/gm));

const docker: Parse = (text) =>
  named(
    "docker",
    captures(text, /^[ \t]*FROM\s+(?:--\S+\s+)?([^\s:@$]+)/gim).map((image) =>
      image.replace(/^(docker\.io\/)?(library\/)?/, ""),
    ),
  );

const compose: Parse = (text) =>
  named(
    "docker",
    captures(text, /^[ \t]*image:\s*["']?(?:docker\.io\/)?(?:library\/)?([^\s:@"'$]+)/gm),
  );

const terraform: Parse = (text) =>
  named(
    "terraform",
    captures(text, /\b(?:provider\s+"([\w-]+)"|source\s*=\s*"([\w-]+\/[\w-]+)")/g),
  );

const actions: Parse = (text) =>
  named("actions", captures(text, /\buses:\s*["']?([\w.-]+\/[\w.-]+)/g));

const ofTools: ReadonlySet<Parse> = new Set([docker, compose, terraform, actions]);

/** A map instead of an object, since a file may be called `constructor`. */
const byName = new Map(
  Object.entries<Parse>({
    "package.json": npm,
    "composer.json": composer,
    "pyproject.toml": pyproject,
    Pipfile: (text) => {
      const file = asObject(parseToml(text));
      const namedIn = (field: string) =>
        named("pypi", Object.keys(asObject(file[field])).map(pypi));
      return [...namedIn("packages"), ...forDevelopment(namedIn("dev-packages"))];
    },
    "setup.py": setupPy,
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
    Dockerfile: docker,
    Containerfile: docker,
  }),
);

const byPattern: readonly (readonly [RegExp, Parse])[] = [
  [
    /^((dev|test|lint|docs?)[-_]requirements|requirements[-_](dev|tests?|lint|docs?)[^/]*)\.(txt|in)$/,
    (text) => forDevelopment(requirements(text)),
  ],
  [/^requirements[^/]*\.(txt|in)$/, requirements],
  [/^(Dockerfile\..+|.+\.[Dd]ockerfile)$/, docker],
  [/^(docker-)?compose.*\.ya?ml$/, compose],
  [/\.(cs|fs|vb)proj$|^packages\.config$|^Directory\.Packages\.props$/, nuget],
  [/\.gemspec$/, gems],
  [/\.tf$/, terraform],
];

/** Normalises a name by PEP 503. */
function pypi(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

function named(ecosystem: string, names: readonly string[]): PackageName[] {
  return names.filter(Boolean).map((name) => ({ ecosystem, spellings: [name] }));
}

function forDevelopment(packages: readonly PackageName[]): PackageName[] {
  return packages.map((each) => ({ ...each, isForDevelopment: true }));
}

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseToml(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
