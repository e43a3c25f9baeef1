/** Invents authorship in repositories that demo developers share. The same facts give the same bytes. */
import type { Facts } from "../../../contract/people/facts.ts";
import { pathFlags, type RepositoryAuthorship } from "../../../pool/pool.ts";
import { createCollector, type FileChangeCount } from "./collect-changes.ts";

const peopleMax = 120;
const repositoriesMax = 10;
const millisecondsPerDay = 86_400_000;

const services = ["payments", "ledger", "catalogue", "orders", "identity", "notifications"];
const layers = ["api", "model", "store", "jobs"];
const names = ["client", "handler", "limits", "queries", "retries", "schema", "settings"];
const extensions: Readonly<Record<string, string>> = {
  Go: "go",
  Java: "java",
  Python: "py",
  Shell: "sh",
  TypeScript: "ts",
};

/** @returns invented repositories. The logins of a repository are in the order of its authors' numbers. */
export function* inventAuthorship(people: readonly Facts[]) {
  const contributors = new Map<string, Contributor[]>();
  for (const facts of people) {
    for (const { name, owned, commits = 0, language } of facts.repositories) {
      if (owned || commits === 0) continue;
      contributors.getOrInsertComputed(name, () => []).push({ facts, commits, language });
    }
  }
  const shared = [...contributors]
    .filter(([, some]) => some.length <= peopleMax)
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  for (const [name, some] of shared.slice(0, repositoriesMax)) yield invent(name, some);
}

interface Contributor {
  readonly facts: Facts;
  readonly commits: number;
  readonly language: string | undefined;
}

function invent(name: string, contributors: readonly Contributor[]) {
  const paths = listPaths(extensions[contributors[0]?.language ?? ""] ?? "ts");
  const random = createRandom(name);
  const commits = contributors
    .flatMap(({ facts, commits }, author) =>
      listDays(facts, commits, random).map((day) => ({ day, author, login: facts.login })),
    )
    .sort((a, b) => a.day - b.day || a.author - b.author);
  const collector = createCollector();
  const lines = new Map<number, number>();
  for (const { day, author, login } of commits) {
    const files = changeFiles({ paths, login, random, lines });
    collector.add({ day, author, flags: 0, others: [], files });
  }
  const flags = paths.map(() => pathFlags.isPresent);
  const sorted = { texts: paths, flags, rank: Uint32Array.from(paths.keys()) };
  const repository: RepositoryAuthorship = {
    ...{ key: `demo\n${name}`, name, forge: undefined, fingerprint: "demo" },
    ...{ ...collector.end(sorted, true), packages: [], lastDay: commits.at(-1)?.day ?? 0 },
  };
  return { logins: contributors.map(({ facts }) => facts.login), repository };
}

function listPaths(extension: string): readonly string[] {
  const own = services.flatMap((service) => [
    ...layers.flatMap((layer) =>
      names.map((name) => `services/${service}/${layer}/${name}.${extension}`),
    ),
    `services/${service}/README.md`,
  ]);
  return [...own, "README.md", "docs/decisions.md", "docs/operation.md"].sort();
}

/** Draws random days for a person's commits. A month with more commits in the facts gets more days. */
function listDays({ commits }: Facts, count: number, random: () => number): readonly number[] {
  const months = Object.entries(commits?.volume ?? {});
  const all = months.reduce((sum, [, each]) => sum + each, 0);
  return Array.from({ length: all > 0 ? count : 0 }, () => {
    let left = random() * all;
    let chosen = "";
    for (const [month, each] of months) {
      chosen = month;
      left -= each;
      if (left < 0) break;
    }
    return Date.parse(`${chosen}-01T00:00:00Z`) / millisecondsPerDay + Math.floor(random() * 28);
  });
}

interface Change {
  readonly paths: readonly string[];
  readonly login: string;
  readonly random: () => number;
  /** The number of lines of each file so far. */
  readonly lines: Map<number, number>;
}

/** Invents the files of a commit. Everybody works mostly on one service and on one layer of it. */
function changeFiles({ paths, login, random, lines }: Change): readonly FileChangeCount[] {
  const home = Number(Bun.hash(login) % 24n);
  const service = services[home % services.length];
  const layer = layers[Math.floor(home / services.length)];
  const folder =
    random() < 0.6 ? `services/${service}/${layer}/` : random() < 0.7 ? `services/${service}/` : "";
  const near = [...paths.keys()].filter((file) => paths[file]?.startsWith(folder));
  const files = new Set<number>();
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    files.add(near[Math.floor(random() * near.length)] ?? 0);
  }
  return [...files]
    .sort((a, b) => a - b)
    .map((file) => {
      const before = lines.get(file) ?? 0;
      const added = 1 + Math.floor(random() * 40);
      const deleted = Math.min(before, Math.floor(random() * 25));
      lines.set(file, before + added - deleted);
      return { file, added, deleted };
    });
}

/** Creates a generator of random numbers from 0 to 1. The same text gives the same numbers. */
function createRandom(seed: string): () => number {
  let state = Number(Bun.hash(seed) & 0x7fffffffn);
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
