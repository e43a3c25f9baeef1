/** Checks the structure of the code: the imports that the table of modules in docs/architecture.md allows, and more. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const root = join(import.meta.dir, "..");
const sources = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: root })]
  .filter((path) => !path.endsWith(".d.ts"))
  .sort();
const text = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));

test("the libraries that the user chose are used", async () => {
  const chosen = [
    "@elysiajs/swagger",
    "@modelcontextprotocol/server",
    "drizzle-orm",
    "elysia",
    "minisearch",
  ];
  const unused = chosen.filter(
    (name) => ![...text.values()].some((code) => code.includes(`from "${name}`)),
  );
  expect(unused).toEqual([]);
});

test("no test with a browser turns the event loop from within, which mixes the browser's messages", () => {
  const wrong = [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: root })].filter((path) => {
    const code = readFileSync(join(root, path), "utf8");
    return /from "[./]*(browser|looks)\.ts"/.test(code) && /\)\.(rejects|resolves)\./.test(code);
  });
  expect(wrong).toEqual([]);
});

/** Files other than databases that code may rename, copy, truncate or remove. */
const movesOtherFiles: Record<string, string> = {
  "src/appliance/folder/upgrade.ts": "archives and the note of an upgrade",
  "src/appliance/sources/token-files.ts": "tokens of sources",
  "src/backup/make-backup.ts": "archives",
  "src/backup/staging-folder.ts": "private copies, once they are closed",
  "src/backup/write-archive.ts": "roster.toml",
  "src/control/sqlite/mark.ts": "control.mark",
  "src/ingest/mirrors/update-mirror.ts": "git repositories",
  "src/ingest/git/repository/view.ts": "links to git objects",
  "src/ingest/jsonl/export-file.ts": "exports",
  "src/interfaces/cli/clone/clone-cache.ts": "indexes of clones, and the notes beside them",
  "src/interfaces/cli/write-file.ts": "a person's copy, a baseline",
  "src/interfaces/http/socket/listener.ts": "the socket",
  "src/sqlite/folder/noted-lock.ts": "the note of a lock",
  "src/restore/swap.ts": "restoring.json",
  "src/search/generation/file.ts": "search.index, which is opened anew by its name",
  "src/sqlite/folder/disk-space.ts": "a probe",
  "src/sqlite/folder/draft.ts": "drafts of processes that have died",
  "src/sqlite/folder/folder-lock.ts": "server.pid",
  "src/sqlite/folder/high-water-mark.ts": "control.mark",
  "src/sqlite/folder/move-files.ts": "databases",
  "src/sqlite/folder/temporary-copies.ts": "copies of processes that have died",
  "src/sqlite/read-only.ts": "copies a database that no process has open, to a private folder",
};

/** Modules without one front: schemas, ports and operations are there to be read, file by file. */
const open: Record<string, readonly string[] | "all"> = {
  contract: "all",
  identity: "all",
  network: "all",
  queries: "all",
  sqlite: "all",
  postgres: "all",
  control: (
    "account-limits.ts account-records.ts control-store.ts delivery-records.ts folder-records.ts saved-records.ts source-records.ts " +
    "sign-in-store.ts quota.ts window-counts.ts postgres/postgres-control-store.ts " +
    "sqlite/merge-control-files.ts sqlite/sqlite-control-store.ts"
  ).split(" "),
  pool: ["pool.ts", "sqlite/sqlite-pool.ts", "postgres/postgres-pool.ts"],
  restore: ["restore.ts", "swap.ts"],
  search: ["search-index.ts", "memory/memory-index.ts", "database/database-index.ts"],
  "data-files": "all",
  metrics: ["metrics.ts", "traces.ts"],
  operations: (
    "admission.ts analysis-view.ts requested-knowledge.ts author-sentence.ts call-service.ts " +
    "check-owners.ts developer-view.ts example-call.ts folder-tree.ts handover-plan.ts index.ts " +
    "export-people.ts knowledge-comment.ts log-call.ts operation.ts perform-once.ts perform.ts pool-overview.ts propose-owners.ts " +
    "path-knowers.ts repeats.ts view.ts who-names.ts who-tables.ts"
  ).split(" "),
};

const [, modules = ""] = readFileSync(join(root, "docs/architecture.md"), "utf8").split(/^## /m);
const rows = modules.matchAll(/^\| `([a-z/-]+)` \|[^|]*\| ([^|]+) \|$/gm);
const allowed = new Map(
  [...rows].map(([, module, list]) => [
    module as string,
    [...(list as string).matchAll(/`([a-z/-]+)`/g)].map(([, name]) => name as string),
  ]),
);

function moduleOf(path: string): string | undefined {
  const parts = relative("src", path).split("/");
  if (parts.length === 1) return undefined;
  return parts[0] === "interfaces" ? `interfaces/${parts[1]}` : parts[0];
}

function importsOf(path: string): string[] {
  const found = (text.get(path) as string).matchAll(
    /(?:from|import\(|import) ?"(\.{1,2}\/[^"]+)"/g,
  );
  return [...found].map(([, target]) => normalize(join(dirname(path), target as string)));
}

/** @returns what a file imports at run time, without types. */
function staticImportsOf(path: string): string[] {
  const found = (text.get(path) ?? "").matchAll(
    /^(?:import|export)(?! type)[^;]*? from "([^"]+)"/gm,
  );
  return [...found].map(([, target]) => {
    const isOurs = (target as string).startsWith(".");
    return isOurs ? normalize(join(dirname(path), target as string)) : (target as string);
  });
}

/** Groups of files each of which imports the others in the end, whether code or types. */
function findCircles(): string[][] {
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const order = low.size;
    low.set(path, order);
    stack.push(path);
    for (const target of importsOf(path)) {
      if (!text.has(target)) continue;
      if (!low.has(target)) visit(target);
      if (stack.includes(target)) low.set(path, Math.min(low.get(path) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(path) === order) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return order;
  };
  for (const path of sources) if (!low.has(path)) visit(path);
  return circles;
}

function isFront(target: string, module: string): boolean {
  const inside = relative(join("src", module), target);
  const front = open[module];
  if (front === "all") return true;
  if (front) return front.includes(inside);
  return inside === `${module.split("/").at(-1)}.ts`;
}

describe("the house", () => {
  test("docs/architecture.md names every module", () => {
    const modules = new Set(sources.map(moduleOf).filter((module) => module !== undefined));
    expect([...allowed.keys()].sort()).toEqual([...modules].sort());
  });

  test("files import only what their module may", () => {
    const wrong = sources.flatMap((path) => {
      const module = moduleOf(path);
      if (!module) return [];
      return importsOf(path).flatMap((target) => {
        const other = moduleOf(target);
        const isData =
          target.startsWith("seed/") || ["package.json", "docs/api-changes.md"].includes(target);
        if (isData || other === module) return [];
        const mayBe = other && allowed.get(module)?.includes(other) && isFront(target, other);
        return mayBe ? [] : [`${path} imports ${target}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("no files import each other in a circle, types included", () => {
    expect(findCircles()).toEqual([]);
  });

  test("only the stores' owners know their databases", () => {
    const knowing = sources.filter((path) =>
      /from "(bun:sqlite|drizzle-orm[^"]*)"/.test(text.get(path) as string),
    );
    const owners = new Set(knowing.map(moduleOf));
    expect(
      [...owners].filter(
        (module) =>
          !["queries", "sqlite", "postgres", "control", "pool", "search", "ingest"].includes(
            module ?? "",
          ),
      ),
    ).toEqual([]);
  });

  test("nobody but config reads the environment", () => {
    const reading = sources.filter((path) =>
      /process\.env|Bun\.env/.test(text.get(path) as string),
    );
    expect(reading).toEqual(["src/config/config.ts"]);
  });

  test("programs are started by one file, and git by another that goes through it", () => {
    const withText = (pattern: RegExp) =>
      sources.filter((path) => pattern.test(text.get(path) as string));
    expect(withText(/\bspawn(Sync)?\(|child_process|Bun\.\$|from "bun".*\$/)).toEqual([
      "src/contract/process-group.ts",
    ]);
    expect(withText(/Bun\.which\("git"\)/)).toEqual(["src/ingest/git/git-command.ts"]);
    expect(withText(/\bstartGroup\(/).sort()).toEqual([
      "src/appliance/runs/child-program.ts",
      "src/backup/places/command-place.ts",
      "src/contract/process-group.ts",
      "src/delivery/receivers.ts",
      "src/ingest/git/git-command.ts",
    ]);
  });

  test("what assistants, sign-in, PostgreSQL, runs and commands need is loaded when it is asked for, not at the start", () => {
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const target of staticImportsOf(path)) visit(target);
    };
    visit("src/main.ts");
    expect(reached).toContain("src/interfaces/mcp/mcp.ts");
    expect(reached).toContain("src/accounts/sign-in/sign-in.ts");
    const late =
      /^(@modelcontextprotocol|better-auth|better-call|@better-auth)\b|^node:net$|^src\/(\w+\/)?postgres\//;
    expect([...reached].filter((path) => late.test(path))).toEqual([]);
    const ofRuns =
      /^(csv-parse|cli-progress|modern-tar|age-encryption|node:zlib)\b|\/pipeline\.ts$/;
    expect([...reached].filter((path) => ofRuns.test(path))).toEqual([]);
  });

  test("only main ends the process", () => {
    const ending = sources.filter((path) => /process\.exit\(/.test(text.get(path) as string));
    expect(ending).toEqual(["src/main.ts"]);
  });

  test("SQLite files are opened and closed by one class, and moved by one file", () => {
    const opening = sources.filter((path) => /from "bun:sqlite"/.test(text.get(path) as string));
    expect(opening).toEqual(["src/sqlite/connection.ts"]);
    const moving = sources.filter((path) =>
      /import \{[^}]*\b(rename|link|unlink|rm|cp|copyFile|truncate)(Sync)?\b[^}]*\} from "node:fs/.test(
        text.get(path) as string,
      ),
    );
    expect(moving).toEqual(Object.keys(movesOtherFiles).sort());
  });

  test("no module is named for what code is made of", () => {
    const bad = /\/(utils?|helpers?|common|types|services|models)(\/|\.ts$)/;
    expect(sources.filter((path) => bad.test(path))).toEqual([]);
  });

  const checks = ["interfaces/mcp/checks", "accounts/library/checks", "journeys/clients"].map(
    (folder) => `test/${folder}/bun.lock`,
  );
  for (const lockfile of ["bun.lock", ...checks]) {
    test(`${lockfile} names no download host, and the package beside it exact versions`, () => {
      expect(readFileSync(join(root, lockfile), "utf8")).not.toMatch(/https?:\/\//);
      const file = join(root, dirname(lockfile), "package.json");
      const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
      const versions = Object.entries({ ...dependencies, ...devDependencies });
      expect(
        versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version as string)),
      ).toEqual([]);
    });
  }
});
