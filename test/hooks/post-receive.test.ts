/** The `post-receive` program that docs/sources.md shows, in a bare repository of the real git. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { newSecret } from "./deliveries.ts";
import { openHookDesk } from "./hook-desk.ts";

const newFolder = temporaryFolders();
const [, shown = ""] =
  /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(
    readFileSync(join(import.meta.dir, "../../docs/sources.md"), "utf8"),
  ) ?? [];
const curl = Bun.which("curl");

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** A bare repository with the hook, a clone with a commit, and a `curl` that notes its arguments. */
function makeRepositories(folder: string, address: string, secretFile: string) {
  const bare = join(folder, "a bare & odd=name.git");
  const clone = join(folder, "clone");
  const programs = join(folder, "programs");
  const seen = join(folder, "arguments");
  mkdirSync(programs);
  writeProgram(join(programs, "curl"), `#!/bin/sh\necho "$@" >> '${seen}'\nexec ${curl} "$@"\n`);
  const run = async (...command: string[]) => {
    const child = Bun.spawn(["git", ...command], {
      env: {
        PATH: `${programs}:${process.env["PATH"]}`,
        ...{ HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
        ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" },
        ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" },
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const text = (await child.stdout.text()) + (await child.stderr.text());
    return { exitCode: await child.exited, text };
  };
  const program = shown
    .replace("https://roster.example.com/hooks/bare", address)
    .replace("/srv/git/roster-hook", secretFile);
  const push = async () => {
    await run("-C", clone, "commit", "--allow-empty", "-m", "Work");
    return run("-C", clone, "push", bare, "HEAD:main");
  };
  const make = async () => {
    await run("init", "--bare", bare);
    await run("init", clone);
    writeProgram(join(bare, "hooks/post-receive"), program);
  };
  return { bare, make, push, seen: () => readFileSync(seen, "utf8") };
}

test.skipIf(!curl)("a push is told, and no list of processes shows the secret", async () => {
  const folder = newFolder();
  const [secret, secretFile] = [newSecret(), join(folder, "secret")];
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 });
  const desk = openHookDesk({ bare: secret }, [join(folder, "a bare & odd=name.git")]);
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: desk.fetch });
  const address = `http://127.0.0.1:${server.port}/hooks/bare`;
  const repositories = makeRepositories(folder, address, secretFile);
  await repositories.make();

  const first = await repositories.push();
  expect(first.exitCode).toBe(0);
  expect(desk.asked).toEqual([`bare ${repositories.bare}`]);
  await repositories.push();
  expect(desk.asked).toHaveLength(2);
  expect(repositories.seen()).toContain(address);
  expect(repositories.seen() + first.text + desk.log()).not.toContain(secret);

  await server.stop(true);
  expect((await repositories.push()).exitCode).toBe(0);
});

test("the page shows the whole program", () => {
  expect(shown).toContain("-K -");
  expect(shown).toContain("https://roster.example.com/hooks/bare");
  expect(shown).toContain("/srv/git/roster-hook");
});
