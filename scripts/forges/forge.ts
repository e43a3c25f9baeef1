/** The command line of `scripts/forge`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { buildGitea, buildWorkflowEngine, findGitea, findWorkflowEngine } from "./gitea-build.ts";
import { seedGitea } from "./gitea-people.ts";
import { startGitea } from "./gitea-server.ts";

const giteaTests = ["./test/ingest/forges/gitea/", "./test/hooks/real-gitea.test.ts"];
const command = new Command("scripts/forge").description("A real Gitea to test against.");
command
  .command("build")
  .description(
    "builds Gitea and the engine of its runner from their Go modules into .tools, unless they are there",
  )
  .action(async () => {
    console.log(findGitea() ?? (await buildGitea()));
    if (!findWorkflowEngine()) await buildWorkflowEngine();
  });
command
  .command("start")
  .description("runs a fresh one with invented people until Ctrl-C")
  .action(start);
command
  .command("test")
  .description("builds it if missing, and runs the tests that need it")
  .argument("[arguments...]", "of `bun test`")
  .action(async (given: string[]) => {
    if (!findGitea()) await buildGitea();
    if (!findWorkflowEngine()) await buildWorkflowEngine();
    const tests = Bun.spawn(["bun", "test", ...giteaTests, "--timeout", "120000", ...given], {
      env: { ...process.env, TEST_FORGE: "1" },
      stdio: ["inherit", "inherit", "inherit"],
    });
    process.exitCode = await tests.exited;
  });
await command.parseAsync();

async function start(): Promise<void> {
  const binary = findGitea() ?? (await buildGitea());
  const folder = mkdtempSync(join(tmpdir(), "roster-gitea-"));
  const gitea = await startGitea(binary, folder);
  try {
    const { token } = await seedGitea(gitea);
    console.log(`${gitea.url}\ntoken of an ordinary person: ${token}`);
    console.log(`token of an administrator: ${gitea.token}`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
  } finally {
    await gitea.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
