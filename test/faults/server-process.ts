import { afterEach } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { requireCleanLog } from "../clean-log.ts";

/** The real program in a process of its own, which the test may kill. */
export interface ServerProcess {
  readonly address: string;
  readonly pid: number;
  /** Resolves with the exit code when it ends by itself. */
  readonly exited: Promise<number>;
  kill(): Promise<void>;
}

/** Each with the file of its log. */
const running = new Map<Bun.Subprocess, string>();

/** Ends what a test that failed has left running. Call at a test file's top level. */
export function endServersAfterEach(): void {
  afterEach(async () => {
    for (const child of [...running.keys()]) await end(child);
  });
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
  const log = Bun.file(running.get(child) ?? "");
  running.delete(child);
  // A test that removes the folder of its server has removed the log too.
  if (!(await log.exists())) return;
  const name = log.name as string;
  requireCleanLog(await log.text(), name, name.includes("roster-disk-"));
}

const root = join(import.meta.dir, "../..");
export const sourceProgram = [process.execPath, join(root, "src/main.ts")];
/** The executable that `scripts/build` made of these sources, which starts in a third of the time; else the sources. */
export const program: readonly string[] = [findExecutable() ?? sourceProgram].flat();

/** Reads a folder of repositories at the command line, beside a server of the same data. */
export async function readFolder(path: string, data: string, ...flags: string[]): Promise<void> {
  const given = ["ingest", "git", path, "--data", data, "--quiet", ...flags];
  const child = Bun.spawn([...program, ...given], { stdout: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${path} could not be read`);
}

/** @returns undefined when there is none, or an older one than the sources. */
export function findExecutable(): string | undefined {
  const built = join(root, "dist/roster");
  if (!existsSync(built)) return undefined;
  const newer = ["find", "src", "seed", "bun.lock", "-newer", built, "-print", "-quit"];
  return Bun.spawnSync(newer, { cwd: root }).stdout.length === 0 ? built : undefined;
}

/**
 * Below the ports that systems give to connections (32768 and up): between the look and the use, or while a server is
 * down, no connection can have taken one. Test files that run at the same time begin at places of their own.
 */
const portsFrom = 11_000;
const portCount = 20_000;
let nextPort = (process.pid * 211) % portCount;

/** @returns a port of 127.0.0.1 at which nothing listens, and that this process gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portsFrom + nextPort;
    nextPort = (nextPort + 1) % portCount;
    if (await isFree(port)) return port;
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Limits the size of files to some blocks of 512 bytes: writes beyond it fail with EFBIG. */
export const smallFiles = (blocks: number): readonly string[] => {
  return ["sh", "-c", `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`];
};

/**
 * Starts `roster serve` on the folder and resolves once it is ready.
 * @param under a command to run it under. @throws with the server's output if the server ends instead.
 */
export async function startServer(
  folder: string,
  port: number,
  under: readonly string[] = [],
  flags: readonly string[] = [],
  executable: readonly string[] = program,
): Promise<ServerProcess> {
  // A shorter log would otherwise end with the rest of the previous one.
  rmSync(`${folder}.log`, { force: true });
  const child = Bun.spawn(
    [
      ...under,
      ...[...executable, "serve", "--no-demo"],
      ...["--data", folder, "--host", "127.0.0.1", "--port", String(port)],
      ...["--admin-key-file", `${folder}.key`, ...flags],
    ],
    { stdout: "ignore", stderr: Bun.file(`${folder}.log`) },
  );
  running.set(child, `${folder}.log`);
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error(`the server ended: ${await Bun.file(`${folder}.log`).text()}`);
    }
    const ready = await fetch(`${address}/readyz`).catch(() => undefined);
    if (ready?.status === 200) break;
    await Bun.sleep(10);
  }
  return {
    address,
    pid: child.pid,
    exited: child.exited,
    kill: () => end(child),
  };
}
