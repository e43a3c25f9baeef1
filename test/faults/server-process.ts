import { afterEach } from "bun:test";
import { createServer } from "node:net";
import { join } from "node:path";

/** The real program in a process of its own, which the test may kill. */
export interface ServerProcess {
  readonly address: string;
  readonly pid: number;
  /** Resolves with the exit code when it ends by itself. */
  readonly exited: Promise<number>;
  kill(): Promise<void>;
}

const running = new Set<Bun.Subprocess>();

/** Ends what a test that failed has left running. Call at a test file's top level. */
export function endServersAfterEach(): void {
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all([...running].map(({ exited }) => exited));
    running.clear();
  });
}

const root = join(import.meta.dir, "../..");
export const sourceProgram = [process.execPath, join(root, "src/main.ts")];

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Makes every file end at so many blocks of 512 bytes: a disk that refuses, on any POSIX system (EFBIG). */
export const smallFiles = (blocks: number): readonly string[] => {
  return ["sh", "-c", `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`];
};

/**
 * Starts `roster serve` on the folder; resolves once it is ready.
 *
 * @param under a command to run it under.
 * @param program what to run as `roster`.
 * @throws with its output when it ends instead.
 */
export async function startServer(
  folder: string,
  port: number,
  under: readonly string[] = [],
  flags: readonly string[] = [],
  program: readonly string[] = sourceProgram,
): Promise<ServerProcess> {
  const child = Bun.spawn(
    [
      ...under,
      ...[...program, "serve", "--no-demo"],
      ...["--data", folder, "--host", "127.0.0.1", "--port", String(port)],
      ...["--admin-key-file", `${folder}.key`, ...flags],
    ],
    { stdout: "ignore", stderr: Bun.file(`${folder}.log`) },
  );
  running.add(child);
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
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
      running.delete(child);
    },
  };
}
