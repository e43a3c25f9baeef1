import { lockFolder } from "../../src/sqlite/folder/folder-lock.ts";

// Nobody keeps the lock in hand, and the collector runs: it must hold all the same.
lockFolder(process.argv[2] as string);
Bun.gc(true);
await Bun.sleep(1);
Bun.gc(true);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
