/**
 * A machine of an operator: this one's files under a layer that goes with it, so that real packages are installed, upgraded and
 * purged by real tools, and nothing of it is left here. A process holds it in a mount namespace of its own.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import type { Said } from "./desk.ts";

export interface Machine {
  readonly root: string;
  /** A line as the operator types it, as root. */
  shell(line: string, env?: Record<string, string>): Promise<Said>;
  /** Starts a service as systemd would by its unit: command, user, folders, limits and what it may write. */
  startUnit(unit: string, env?: Record<string, string>): Bun.Subprocess<"ignore", "pipe", "pipe">;
  clear(): Promise<void>;
}

const tools = ["unshare", "nsenter", "chroot", "setpriv", "apt-get", "dpkg-deb", "zstd"];
const searched = `${process.env["PATH"]}:/usr/sbin:/sbin`;

/** @returns why no machine can be made here; undefined where it can. */
export function findObstacle(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it needs Linux and root";
  const missing = tools.filter((tool) => !Bun.which(tool, { PATH: searched }));
  if (missing.length > 0) return `there is no ${missing.join(", ")}`;
  const tried = Bun.spawnSync(["unshare", "--mount", "sh", "-c", layer("/tmp")], {
    env: { PATH: searched },
  });
  return tried.exitCode === 0 ? undefined : "layers of files cannot be mounted here";
}

/** Kept in memory: a layer cannot lie within what it covers. */
const layer = (at: string) => `
  set -e
  mount -t tmpfs tmpfs ${at}
  mkdir ${at}/upper ${at}/work ${at}/root
  mount -t overlay overlay -o lowerdir=/,upperdir=${at}/upper,workdir=${at}/work ${at}/root
  mount -t proc proc ${at}/root/proc
  mount --bind /dev ${at}/root/dev
  mount -t tmpfs tmpfs ${at}/root/tmp`;

/** @throws when it cannot be made: `findObstacle` says so before. */
export async function openMachine(): Promise<Machine> {
  const at = mkdtempSync(join(tmpdir(), "roster-machine-"));
  const hold = Bun.spawn(["unshare", "--mount", "sh", "-c", `${layer(at)}\necho ready; exec cat`], {
    ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit", env: { PATH: searched } },
  });
  const { value } = await hold.stdout.getReader().read();
  if (value === undefined) throw new Error("the machine's files could not be mounted");
  const root = join(`/proc/${hold.pid}/root`, at, "root");
  const inside = ["nsenter", `--mount=/proc/${hold.pid}/ns/mnt`];
  const running = new Set<Bun.Subprocess>();
  const spawn = (argv: readonly string[], env: Record<string, string>) => {
    const child = Bun.spawn([...inside, ...argv], { env, stdout: "pipe", stderr: "pipe" });
    running.add(child);
    child.exited.then(() => running.delete(child));
    return child;
  };
  const base = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" };
  return {
    root,
    async shell(line, env = {}) {
      const child = spawn(["chroot", join(at, "root"), "sh", "-c", line], { ...base, ...env });
      const { code: exitCode, out: stdout, err: stderr } = await readOutput(child);
      return { exitCode, stdout, stderr };
    },
    startUnit(name, env = {}) {
      const unit = readUnit(join(root, "lib/systemd/system", name));
      const argv = ["unshare", "--mount", "sh", "-c", enclose(join(at, "root"), unit)];
      return spawn(argv, { ...environmentOf(unit), ...env });
    },
    async clear() {
      for (const child of running) child.kill("SIGKILL");
      await Promise.all([...running].map((child) => child.exited));
      hold.stdin.end();
      await hold.exited;
      rmSync(at, { recursive: true, force: true });
    },
  };
}

type Unit = Readonly<Record<string, string>>;

/** The service's settings; of those that are said several times, the last. */
function readUnit(path: string): Unit {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  const lines = readFileSync(path, "utf8").matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

const folders = [
  ["StateDirectory", "var/lib"],
  ["RuntimeDirectory", "run"],
  ["LogsDirectory", "var/log"],
] as const;

/** The environment that systemd gives a service. */
function environmentOf(unit: Unit): Record<string, string> {
  const names = folders.map(([key, above]) => [
    `${key.replace("Directory", "").toUpperCase()}_DIRECTORY`,
    `/${above}/${unit[key]}`,
  ]);
  const user = unit["User"] ?? "";
  return {
    ...Object.fromEntries(names),
    ...{ PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", LANG: "C.UTF-8" },
    ...{ USER: user, LOGNAME: user, HOME: unit["WorkingDirectory"] ?? "/", SHELL: "/bin/false" },
    CONFIGURATION_DIRECTORY: `/etc/${unit["ConfigurationDirectory"]}`,
  };
}

/** Makes everything read-only but the service's own folders, gives it a `/tmp` of its own, and the rights of its user. */
function enclose(root: string, unit: Unit): string {
  const [user, group] = [unit["User"], unit["Group"]];
  const own = folders.map(([key, above]) => ({
    path: `${root}/${above}/${unit[key]}`,
    mode: unit[`${key}Mode`] ?? "0755",
  }));
  const make = own.map(
    ({ path, mode }) =>
      `mkdir -p ${path}; chroot ${root} chown ${user}:${group} ${path.slice(root.length)}; chmod ${mode} ${path}`,
  );
  // Where less may be had, as in a container, as much as that.
  const limits = `ulimit -n ${unit["LimitNOFILE"]} 2>/dev/null || ulimit -n "$(ulimit -Hn)"`;
  const rights = `setpriv --reuid=${user} --regid=${group} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all`;
  const started = `${limits}; umask ${unit["UMask"]}; cd ${unit["WorkingDirectory"]} && exec ${rights} ${unit["ExecStart"]}`;
  return [
    "set -e",
    ...make,
    `mount --bind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    ...own.map(({ path }) => `mount --bind ${path} ${path}`),
    `mount -o remount,bind,ro ${root}`,
    `exec chroot ${root} sh -c '${started}'`,
  ].join("\n");
}

/** A folder of packages on the machine, as a publisher's repository is: `apt` reads its list. */
export async function publish(machine: Machine, packages: readonly string[]): Promise<void> {
  const folder = join(machine.root, "srv/packages");
  mkdirSync(folder, { recursive: true });
  const entries = await Promise.all(
    packages.map(async (path) => {
      const name = path.split("/").at(-1) ?? "";
      await Bun.write(join(folder, name), Bun.file(path));
      const { stdout } = Bun.spawnSync(["dpkg-deb", "--field", path]);
      const hash = new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes());
      const file = { Filename: `./${name}`, Size: Bun.file(path).size, SHA256: hash.digest("hex") };
      const added = Object.entries(file).map(([key, value]) => `${key}: ${value}`);
      return `${stdout.toString().trim()}\n${added.join("\n")}\n`;
    }),
  );
  await Bun.write(join(folder, "Packages"), entries.join("\n"));
  const list = "deb [trusted=yes] file:/srv/packages ./\n";
  await Bun.write(join(machine.root, "etc/apt/sources.list"), list);
  // Those of this machine would need the network.
  await machine.shell("rm -f /etc/apt/sources.list.d/*");
}
