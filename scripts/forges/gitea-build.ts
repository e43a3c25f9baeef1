/**
 * Builds what the tests run against, from the Go modules that `test/ingest/forges/gitea` and its folder `runner` pin: Gitea, and the
 * engine with which its runner runs workflows.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGo, folderOfBuild, runGo } from "../outside/go-module.ts";

const root = join(import.meta.dir, "../..");
const module = join(root, "test/ingest/forges/gitea");
const runnerModule = join(module, "runner");

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
  await runGo(findGo(runnerModule), ["build", ...flags, "-o", target, name], runnerModule);
}

/** Builds Gitea, which takes minutes at the lowest priority. @returns the binary's path. */
export async function buildGitea(): Promise<string> {
  const go = findGo(module);
  const target = folderOfBuild("gitea", module);
  const making = `${target}.${process.pid}.new`;
  mkdirSync(making, { recursive: true });
  console.error("Building Gitea: 2 GB to download and, on two cores, some 6 minutes of work ...");
  try {
    const version = /gitea v([\d.]+)/.exec(readFileSync(join(module, "go.mod"), "utf8"))?.[1];
    const building = [
      ...["build", "-mod=readonly", "-p", "2", "-trimpath", "-tags", "sqlite sqlite_unlock_notify"],
      ...["-ldflags", `-s -w -X main.Version=${version}`, "-o", join(making, "gitea")],
      "code.gitea.io/gitea",
    ];
    await runGo(go, building, module);
    const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "code.gitea.io/gitea"];
    const source = (await runGo(go, list, module)).trim();
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
