import { lockFolder } from "../../src/store/lock.ts";

lockFolder(process.argv[2] as string);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
