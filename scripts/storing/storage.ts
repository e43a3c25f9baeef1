/** The command line of `scripts/storage`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { buildStorage, findBuiltStorage, findStorage, startStorage } from "./storage-server.ts";

const command = new Command("scripts/storage").description("A real S3 server to test against.");
command
  .command("build")
  .description("builds versitygw from its Go module into .tools, unless it is there")
  .action(async () => console.log(findBuiltStorage() ?? (await buildStorage())));
command
  .command("start")
  .description("runs a fresh one with invented keys until Ctrl-C")
  .action(start);
command
  .command("test")
  .description("builds versitygw if missing, and runs the tests of backups")
  .argument("[arguments...]", "of `bun test`")
  .action(async (given: string[]) => {
    if (!findBuiltStorage()) await buildStorage();
    const tests = Bun.spawn(["bun", "run", "--silent", "test", "./test/backup/", ...given], {
      stdio: ["inherit", "inherit", "inherit"],
    });
    process.exitCode = await tests.exited;
  });
await command.parseAsync();

async function start(): Promise<void> {
  const binary = findStorage() ?? (await buildStorage());
  const parent = mkdtempSync(join(tmpdir(), "roster-storage-"));
  const folder = join(parent, "objects");
  const storage = await startStorage(binary, { folder, bucket: "backups" });
  try {
    const { endpoint, region, keyId, secret } = storage;
    console.log(`endpoint ${endpoint}\nregion ${region}\nkey id ${keyId}\nsecret ${secret}`);
    console.log(`bucket backups, whose objects are files of ${join(folder, "backups")}`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
  } finally {
    await storage.stop();
    rmSync(parent, { recursive: true, force: true });
  }
}
