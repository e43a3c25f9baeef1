import { freePort } from "../../../test/faults/server-process.ts";
import { readMemory } from "../http/processes.ts";

export interface Answered {
  /** From the spawn to the first answer 200. */
  readonly ms: number;
  /** What the process holds then, in MiB. */
  readonly memoryMb: number;
}

/** Starts a program that listens at PORT, has one answer of it, and ends it. @throws after a minute without one. */
export async function timeToAnswer(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Answered> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = Bun.spawn([program], {
    ...{ stdout: "ignore", stderr: "inherit" },
    env: { ...process.env, ...env, PORT: String(port) },
  });
  try {
    while (performance.now() - startedAt < 60_000 && child.exitCode === null) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (response?.status === 200) {
        const ms = performance.now() - startedAt;
        return { ms, memoryMb: readMemory(child.pid).nowMb };
      }
      await Bun.sleep(1);
    }
    throw new Error(`${program} did not answer within a minute`);
  } finally {
    child.kill();
    await child.exited;
  }
}
