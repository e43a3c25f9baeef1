/**
 * What is published: the same bytes from two folders, and a package that is installed, started, upgraded and removed in a clean
 * Debian. Takes minutes, so only `scripts/explore` runs it, as root, with mmdebstrap and dpkg-deb.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { version } from "../../package.json";
import { isLong } from "../long.ts";

const root = join(import.meta.dir, "../..");
const tools = ["git", "dpkg-deb", "ssh-keygen", "mmdebstrap", "chroot", "unshare"];
const missing = tools.filter(
  (tool) => !Bun.which(tool, { PATH: `${process.env["PATH"]}:/usr/sbin` }),
);
const canRun = isLong && missing.length === 0 && process.getuid?.() === 0;
const why = `skipped without scripts/explore, root and ${tools.join(", ")}`;

function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): string {
  const env = { ...process.env, ...options.env };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { ...options, env });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${exitCode}\n${stdout}${stderr}`);
  return stdout.toString();
}

describe.skipIf(!canRun)(`a release (${why})`, () => {
  let folder: string;
  const releases = () =>
    ["one", "another/deeper"].map((name) => join(folder, name, "dist/release"));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "roster-release-"));
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(folder, "key")]);
    for (const name of ["one", "another/deeper"]) {
      const checkout = join(folder, name);
      mkdirSync(checkout, { recursive: true });
      run(["git", "clone", "--quiet", root, checkout]);
      // The umask and the zone of whoever builds must not show.
      const env = {
        ROSTER_RELEASE_KEY: join(folder, "key"),
        TZ: name === "one" ? "UTC" : "Asia/Tokyo",
      };
      run(["sh", "-c", `umask ${name === "one" ? "077" : "002"}; exec scripts/release linux-x64`], {
        cwd: checkout,
        env,
      });
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is the same, byte for byte, from two folders", () => {
    const [one = "", other = ""] = releases();
    const names = readdirSync(one).sort();
    expect(readdirSync(other).sort()).toEqual(names);
    for (const end of ["_amd64.deb", ".mcpb", ".tgz", ".server.json"]) {
      expect(names.some((name) => name.endsWith(end))).toBe(true);
    }
    for (const name of names) {
      const isSame =
        Buffer.compare(readFileSync(join(one, name)), readFileSync(join(other, name))) === 0;
      expect([name, isSame]).toEqual([name, true]);
    }
  });

  test("is verified with ssh-keygen and sha256sum as docs/operation.md says, and a changed file is found", () => {
    const [one = ""] = releases();
    const signers = join(folder, "signers");
    const key = readFileSync(join(folder, "key.pub"), "utf8");
    Bun.spawnSync(["sh", "-c", `printf 'roster %s' "$0" > '${signers}'`, key]);
    const verify = `ssh-keygen -Y verify -f '${signers}' -I roster -n roster-release -s SHA256SUMS.sig < SHA256SUMS && sha256sum -c --quiet SHA256SUMS`;
    run(["sh", "-c", verify], { cwd: one });
    const copy = join(folder, "changed");
    cpSync(one, copy, { recursive: true });
    run(["sh", "-c", "echo >> $(ls *.deb)"], { cwd: copy });
    expect(() => run(["sh", "-c", verify], { cwd: copy })).toThrow("FAILED");
    run(["sh", "-c", "sha256sum *.deb *.gz *.json > SHA256SUMS"], { cwd: copy });
    expect(() => run(["sh", "-c", verify], { cwd: copy })).toThrow();
  });

  test("installs, serves, is upgraded with its data, and is removed, in a clean Debian", async () => {
    const [one = ""] = releases();
    const clean = join(folder, "clean");
    run(["mmdebstrap", "--variant=minbase", "--include=adduser", "--quiet", "bookworm", clean]);
    const within = (...command: string[]) => run(["chroot", clean, ...command]);
    const deb = readdirSync(one).find((name) => name.endsWith(".deb")) as string;
    cpSync(join(one, deb), join(clean, "roster.deb"));
    within("dpkg", "-i", "/roster.deb");
    expect(within("stat", "-c", "%U %a", "/var/lib/roster").trim()).toBe("roster 700");
    expect(within("stat", "-c", "%U:%G %a", "/etc/roster/roster.toml").trim()).toBe(
      "root:roster 640",
    );

    // No systemd runs in there: the same command, as the same user.
    const serve = async (use: (address: string) => Promise<void>) => {
      const user = within("id", "-u", "roster").trim();
      const group = within("id", "-g", "roster").trim();
      // Mounted for this process alone: the executable finds itself by /proc.
      const enter = `mount -t proc proc '${clean}/proc' && exec chroot --userspec=${user}:${group} '${clean}' "$0" "$@"`;
      const command = ["unshare", "--mount", "sh", "-c", enter, "/usr/bin/roster", "serve"];
      const flags = ["--config", "/etc/roster/roster.toml", "--port", "0"];
      const server = Bun.spawn([...command, ...flags], {
        stdout: "ignore",
        stderr: "pipe",
        env: { PATH: `${process.env["PATH"]}:/usr/sbin:/usr/bin` },
      });
      let log = "";
      let isUsed = false;
      // Read to its end: a log that nobody reads would keep the server from stopping.
      for await (const chunk of server.stderr) {
        log += new TextDecoder().decode(chunk);
        const address = /"address":"([^"]+)"[^\n]*"started"/.exec(log)?.[1];
        if (address === undefined || isUsed) continue;
        isUsed = true;
        await use(address);
        server.kill();
      }
      expect([await server.exited, log.includes('"started"')]).toEqual([0, true]);
    };
    let key = "";
    const expectAda = async (address: string) => {
      key ||= readFileSync(join(clean, "var/lib/roster/admin.key"), "utf8").trim();
      const answer = await fetch(`${address}/v1/users/ada-example`, {
        headers: { "x-api-key": key },
      });
      expect(answer.status).toBe(200);
    };
    await serve(expectAda);
    // The operator's settings and data outlive the next version.
    within("sh", "-c", "echo 'logLevel = \"debug\"' >> /etc/roster/roster.toml");
    within(
      "sh",
      "-c",
      "dpkg-deb -R /roster.deb /tmp/next && sed -i 's/^Version: .*/&.1/' /tmp/next/DEBIAN/control",
    );
    within("dpkg-deb", "--root-owner-group", "-Znone", "--build", "/tmp/next", "/next.deb");
    within("dpkg", "-i", "/next.deb");
    expect(readFileSync(join(clean, "etc/roster/roster.toml"), "utf8")).toContain(
      'logLevel = "debug"',
    );
    await serve(expectAda);

    within("dpkg", "--remove", "roster");
    expect(existsSync(join(clean, "usr/bin/roster"))).toBe(false);
    expect(existsSync(join(clean, "var/lib/roster/control.db"))).toBe(true);
    within("dpkg", "--purge", "roster");
    for (const path of ["var/lib/roster", "etc/roster"])
      expect(existsSync(join(clean, path))).toBe(false);
    expect(() => within("id", "roster")).toThrow();
  }, 300_000);
});

test("the unit is as hard as systemd knows to judge (skipped without systemd-analyze)", () => {
  if (!Bun.which("systemd-analyze")) return;
  const unit = join(root, "packaging/systemd/roster.service");
  const exposure = /exposure level for [^:]+: ([\d.]+)/.exec(
    run(["systemd-analyze", "security", "--offline=yes", unit]),
  )?.[1];
  expect(Number(exposure)).toBeLessThanOrEqual(1.5);
  expect(readFileSync(unit, "utf8")).not.toMatch(/^MemoryDenyWriteExecute=/m);
});

const executable = join(root, "dist/roster");
const contents = join(root, "dist/contents.json");

test.skipIf(!existsSync(executable) || !existsSync(contents))(
  "the list of contents names what is in the executable, and the notices have each (skipped without dist/roster)",
  () => {
    const text = run([process.execPath, join(root, "scripts/releasing/sbom.ts")]);
    const { components } = JSON.parse(text) as {
      components: {
        name: string;
        version: string;
        purl?: string;
        licenses: { license: { id: string } }[];
      }[];
    };
    const packages = components.filter(({ purl }) => purl !== undefined);
    // Its source maps have the paths of what is in it. A path may lie inside another package's node_modules.
    const bytes = readFileSync(executable).toString("latin1");
    const paths = bytes.matchAll(
      /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/(?=[\w./-]+?\.(?:js|mjs|cjs|css))/g,
    );
    const inside = new Set([...paths].map(([, name = ""]) => name));
    expect(packages.length).toBeGreaterThan(50);
    // That of the pages is inside as a file, and not as a module.
    const unseen = packages.map(({ name }) => name).filter((name) => !inside.has(name));
    expect(unseen).toEqual(["htmx.org"]);
    const listed = new Set(packages.map(({ name }) => name));
    const ownOfBun = ["balanced-match", "brace-expansion"];
    const others = [...inside].filter((name) => !listed.has(name) && !ownOfBun.includes(name));
    expect(others.filter((name) => existsSync(join(root, "node_modules", name)))).toEqual([]);

    const notices = readFileSync(join(root, "seed/licences.txt"), "utf8");
    const unnamed = packages.filter(
      ({ name, version }) => !notices.includes(`\n${name} ${version} (`),
    );
    expect(unnamed.map(({ name }) => name)).toEqual([]);
    const ids = packages.flatMap(({ licenses }) => licenses.map(({ license }) => license.id));
    expect(ids.filter((id) => !/^[A-Z0-9][\w.-]+$/.test(id))).toEqual([]);
  },
);

test("the version is the newest of the changelog, and rises", () => {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/gm)].map(
    ([, found = ""]) => found,
  );
  expect(versions[0]).toBe(version);
  expect(versions.length).toBeGreaterThan(1);
  expect(versions.toSorted((a, b) => Bun.semver.order(b, a))).toEqual(versions);
});

test("what lies beside the executable in each artifact has no dead link, and the files that it tells to use", () => {
  const folder = mkdtempSync(join(tmpdir(), "roster-papers-"));
  try {
    run([join(root, "scripts/releasing/papers"), folder]);
    const pages = [...new Bun.Glob("**/*.md").scanSync({ cwd: folder })];
    expect(pages.length).toBeGreaterThan(20);
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(folder, page), "utf8");
      const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => join(dirname(page), target));
      const named = [...text.matchAll(/(?<![\w./@~-])(?:docs|packaging)\/[\w./-]*\w/g)].map(
        ([path]) => path,
      );
      // How packages are made is for a checkout.
      const shipped = named.filter((path) => !path.startsWith("packaging/debian"));
      return [...links, ...shipped]
        .filter((path) => !existsSync(join(folder, path)))
        .map((path) => `${page}: ${path}`);
    });
    expect(dead).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
