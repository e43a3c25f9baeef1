import { benchBackup } from "./bench-backup.ts";
import { benchCharge } from "./bench-charge.ts";
import { benchFind } from "./bench-find.ts";
import { benchForges } from "./bench-forges.ts";
import { benchIngest } from "./bench-ingest.ts";
import { benchMcp } from "./bench-mcp.ts";
import { benchNodes } from "./bench-nodes.ts";
import { benchPages } from "./bench-pages.ts";
import { benchRestart } from "./bench-restart.ts";
import { benchSearch } from "./bench-search.ts";
import { benchStart } from "./bench-start.ts";
import { benchWho } from "./bench-who.ts";

const benches = {
  backup: benchBackup,
  charge: benchCharge,
  find: benchFind,
  forges: benchForges,
  ingest: benchIngest,
  mcp: benchMcp,
  nodes: benchNodes,
  pages: benchPages,
  restart: benchRestart,
  search: benchSearch,
  start: benchStart,
  who: benchWho,
};

const [first, ...rest] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith("-");
const name = isNamed ? first : "search";
if (!isBench(name)) {
  console.error(`unknown measurement "${name}"; known: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const allMet = await benches[name](isNamed ? rest : process.argv.slice(2));
process.exit(allMet ? 0 : 1);

function isBench(text: string): text is keyof typeof benches {
  return Object.hasOwn(benches, text);
}
