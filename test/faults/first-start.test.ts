import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const rounds = 12;
const random = createRandom(drawSeed("folders killed while made"));

test(`kill -9 while folders are made, ${rounds} rounds: the next start finds a whole store or makes one`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const folder = newFolder();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "making-child.ts"), folder]);
    while (readdirSync(folder).length === 0) await Bun.sleep(1);
    await Bun.sleep(random() * 40);
    child.kill("SIGKILL");
    await child.exited;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name, "control.db");
      const control = openSqliteControlStore(path);
      const accounts = await openAccounts(control, { now: () => new Date() });
      expect(await control.brokenAuditEntry()).toBeUndefined();
      const email = "a@b.c";
      if (!(await accounts.find(email))) await accounts.create({ email, plan: "free" });
      expect((await accounts.find(email))?.keyHint).toBeDefined();
      await control.close();
      const files = readdirSync(join(folder, name)).filter((file) => !/-(wal|shm)$/.test(file));
      expect(files.sort()).toEqual(["control.db", "control.mark"]);
    }
  }
}, 300_000);
