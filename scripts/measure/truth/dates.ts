import type { Facts } from "../../../src/contract/people/facts.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { askGit } from "../git/ask-git.ts";
import { nameRepository } from "../git/read-authors.ts";
import { readFacts } from "../git/read-repositories.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "First months of packages, against the history of manifests.",
  takes: "PATH...",
  run: ({ paths }) => truthOfDates(paths),
});

/** A package that an author has evidence of, and the first month of that evidence. */
interface DatedEvidence {
  readonly repository: string;
  readonly login: string;
  readonly kind: string;
  /** `ecosystem:package`. */
  readonly name: string;
  readonly month: string;
}

/**
 * Checks for each package that an author has evidence of whether the first month of the evidence is one in which a
 * manifest of the repository already named the package. That date is the oldest author date that `git log -S` would find:
 * of the commits that change how often a manifest contains the name. `dates.in-time` is the share of packages for which
 * it is; packages that no manifest ever named are left out.
 *
 * @param paths clones, bare mirrors, or folders that contain some.
 */
export async function truthOfDates(paths: readonly string[]): Promise<Findings> {
  const vocabulary = createVocabulary();
  const asOf = new Date().toISOString().slice(0, 10);
  let [compared, undated] = [0, 0];
  const wrong: string[] = [];
  const places = repositoriesAt(paths);
  for (const path of places) {
    const reading = await readFacts([path], { vocabulary, asOf });
    const evidence = [...reading.people].flatMap((facts) =>
      listEvidence(nameRepository(path), facts),
    );
    const firstMonths = findFirstMonths(path, new Set(evidence.map(({ name }) => name)));
    for (const each of evidence) {
      const first = firstMonths.get(each.name);
      if (first === undefined) undated += 1;
      else compared += 1;
      if (first === undefined || each.month >= first) continue;
      const { repository, login, kind, name, month } = each;
      wrong.push(`${repository} ${login} ${kind} ${name}: ${month}, in manifests since ${first}`);
    }
  }
  return {
    rows: [atLeast(1, toShare("dates.in-time", compared - wrong.length, compared))],
    counts:
      `${places.length} repositories, ${compared} packages of authors held against manifests, ${wrong.length} too early, ` +
      `${undated} without a manifest that names them`,
    misses: wrong,
  };
}

function listEvidence(repository: string, { login, evidence }: Facts): DatedEvidence[] {
  return evidence.flatMap(({ kind, name, months }) => {
    const month = Object.keys(months).sort()[0];
    const isPackage = kind === "import" || kind === "manifest";
    return isPackage && month !== undefined ? [{ repository, login, kind, name, month }] : [];
  });
}

/** Pathspecs of the files that name packages of an ecosystem. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  pypi: [
    "*requirements*.txt",
    "*requirements*.in",
    "requirements/*",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "*environment*.y*ml",
  ],
  cargo: ["Cargo.toml"],
  go: ["go.mod"],
  maven: ["pom.xml", "*.gradle", "*.gradle.kts", "libs.versions.toml"],
  rubygems: ["Gemfile", "*.gemspec"],
  composer: ["composer.json"],
  nuget: ["*.csproj", "*.fsproj", "*.vbproj", "packages.config", "Directory.Packages.props"],
  hex: ["mix.exs"],
  pub: ["pubspec.yaml"],
  cran: ["DESCRIPTION"],
  cocoapods: ["Podfile"],
  swift: ["Package.swift", "Podfile"],
  docker: ["*Dockerfile*", "*ontainerfile", "*.dockerfile", "*compose*.yml", "*compose*.yaml"],
  terraform: ["*.tf"],
  actions: [".github/workflows/*"],
};

/**
 * @returns for each name, the month of the oldest author date of a commit that changes how often manifests contain it.
 */
function findFirstMonths(path: string, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const months = new Map<string, string>();
  for (const [ecosystem, files] of Object.entries(manifests)) {
    const ofEcosystem = [...names].filter((name) => name.startsWith(`${ecosystem}:`));
    if (ofEcosystem.length === 0) continue;
    const patterns = ofEcosystem.map((name) => [name, toPattern(name)] as const);
    const pathspecs = files.map((file) => `:(glob)**/${file}`);
    // By default git leaves out branches that changed nothing in the end.
    const log = [
      "log",
      "--full-history",
      "-p",
      "-U0",
      "--no-color",
      "--no-ext-diff",
      "--format=%x00%at",
      "--",
      ...pathspecs,
    ];
    for (const commit of askGit(path, log).toString("latin1").split("\0")) {
      const month = formatMonth(Number(commit.slice(0, commit.indexOf("\n"))));
      if (month === undefined) continue;
      for (const file of commit.split(/^diff --git /m).slice(1)) {
        const lines = file.split("\n").filter((line) => !/^(\+\+\+|---) /.test(line));
        const [added, removed] = ["+", "-"].map((sign) =>
          lines.filter((line) => line.startsWith(sign)).join("\n"),
        );
        for (const [name, pattern] of patterns) {
          if (count(added ?? "", pattern) === count(removed ?? "", pattern)) continue;
          const before = months.get(name);
          if (before === undefined || month < before) months.set(name, month);
        }
      }
    }
  }
  return months;
}

/**
 * Matches the whole name, and not a part of it in the settings of a tool; a dot after it may be followed only by a path.
 * Registries ignore case, and most of them the difference between the punctuation marks within a name.
 */
function toPattern(name: string): RegExp {
  const text = name.slice(name.indexOf(":") + 1).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const before = name.startsWith("npm:") ? "[\\w@/-]" : "[\\w-]";
  const after = /^(npm|pypi|cargo):/.test(name) ? "[\\w-]|\\.\\w" : "[\\w-]";
  return new RegExp(`(?<!${before})${text.replace(/[-_]|\\\./g, "[-_.]")}(?!${after})`, "gi");
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

function formatMonth(seconds: number): string | undefined {
  return seconds > 0 ? new Date(seconds * 1000).toISOString().slice(0, 7) : undefined;
}
