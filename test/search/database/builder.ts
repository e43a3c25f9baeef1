/** `bun builder.ts URL REVISION`: a node that builds the index of so many people, and says when it has done. */
import { openPostgres } from "../../../src/postgres/database.ts";
import { createIndexOn } from "../../../src/search/database/database-index.ts";
import { manyPeople, nodeParts, smallShape } from "./shared-database.ts";

const [url = "", revision = "1"] = process.argv.slice(2);
const database = await openPostgres({ url, connectionsMax: 2 });
const shown = { rows: manyPeople, revision: Number(revision) };
const search = createIndexOn(
  { open: async () => database, close: () => database.close() },
  nodeParts(() => shown),
  smallShape,
);
await search.refresh();
process.stdout.write("built\n");
await search.close();
