/**
 * The container that packaging/Containerfile describes, on a base of this machine's own libraries, since its registry may
 * be out of reach: built and run by buildah without a daemon. Needs `scripts/build` before.
 */
import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../faults/server-process.ts";
import { isLong } from "../long.ts";

const root = join(import.meta.dir, "../..");
const program = join(root, "dist/roster");
const isRoot = process.getuid?.() === 0;
const canRun = isLong && isRoot && Bun.which("buildah") && existsSync(program);

const folder = canRun ? mkdtempSync(join(tmpdir(), "roster-container-")) : "";
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const buildah = (...argv: string[]) => {
  const places = ["--root", join(folder, "store"), "--runroot", join(folder, "run")];
  return ["buildah", "--storage-driver", "vfs", ...places, ...argv];
};
const env = { ...process.env, BUILDAH_ISOLATION: "chroot" };

function run(...argv: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(buildah(...argv), { env });
  if (exitCode !== 0) throw new Error(`buildah ${argv[0]}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

/** Copies what the program and the steps of the Containerfile load. */
function makeBase(base: string): void {
  const tools = ["/bin/sh", "/bin/mkdir", "/bin/chown", "/bin/ln"];
  const loaded = [program, ...tools].flatMap((file) => {
    const listed = Bun.spawnSync(["ldd", file]).stdout.toString();
    return [...listed.matchAll(/(\/lib\S+)/g)].map(([path]) => path);
  });
  for (const file of [...tools, ...new Set(loaded)]) {
    mkdirSync(join(base, dirname(file)), { recursive: true });
    cpSync(file, join(base, file), { dereference: true });
  }
  for (const each of ["tmp", "usr/bin"]) mkdirSync(join(base, each), { recursive: true });
}

test.skipIf(!canRun)(
  "a container serves as nobody, with its data in the volume (skipped without scripts/explore, root, buildah and dist/roster)",
  async () => {
    makeBase(join(folder, "base"));
    const made = run("from", "scratch");
    run("add", made, join(folder, "base"), "/");
    run("commit", made, "localhost/roster-base");
    mkdirSync(join(folder, "dist"));
    // As scripts/release makes it.
    const papers = join(folder, "roster-0.0.0");
    Bun.spawnSync([join(root, "scripts/releasing/papers"), papers]);
    cpSync(program, join(papers, "roster"));
    const tarball = join(folder, "dist/roster-0.0.0-linux-x64.tar.gz");
    Bun.spawnSync(["tar", "-C", folder, "-czf", tarball, "roster-0.0.0"]);
    const file = join(root, "packaging/Containerfile");
    const argv = [
      "--format",
      "docker",
      "--build-arg",
      "BASE=localhost/roster-base",
      "--tag",
      "roster",
      "--file",
      file,
    ];
    run("bud", ...argv, join(folder, "dist"));
    const container = run("from", "localhost/roster");
    expect(run("run", container, "--", "/bin/sh", "-c", "echo $ROSTER_DATA")).toBe("/data");
    const documents = run("run", container, "--", "/bin/sh", "-c", "echo /opt/roster-*/docs/*.md");
    expect(documents).toContain("docs/operation.md");
    const { config } = JSON.parse(run("inspect", "--type", "image", "roster")).Docker;
    expect(config.User).toBe("10001:10001");
    const [, check = ""] = config.Healthcheck.Test as readonly string[];
    const port = await freePort();
    const served = ["/usr/bin/roster", "serve", "--port", String(port)];
    const child = Bun.spawn(buildah("run", container, "--", ...served), {
      ...{ env, stdout: "pipe", stderr: "ignore" },
    });
    try {
      let status = 0;
      while (status !== 200 && child.exitCode === null) {
        status =
          (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status ?? 0;
        await Bun.sleep(50);
      }
      expect(status).toBe(200);
      const healthAt = (at: number) =>
        Bun.spawnSync(
          buildah("run", "--env", `ROSTER_PORT=${at}`, container, "--", "/bin/sh", "-c", check),
          { env },
        ).exitCode;
      expect([healthAt(port), healthAt(await freePort()) === 0]).toEqual([0, false]);
      const [server] = serversAt(port);
      const owner = Bun.spawnSync(["stat", "-c", "%u", `/proc/${server}`])
        .stdout.toString()
        .trim();
      expect(owner).toBe("10001");
      process.kill(Number(server), "SIGTERM");
      expect(await child.exited).toBe(0);
      expect(await new Response(child.stdout).text()).toContain("data        /data");
    } finally {
      child.kill("SIGKILL");
    }
  },
  300_000,
);

/** Process ids of the programs that were told to serve at the port. */
function serversAt(port: number): readonly string[] {
  const listed = Bun.spawnSync(["pgrep", "-f", `^/usr/bin/roster serve --port ${port}`]);
  return listed.stdout.toString().trim().split("\n");
}
