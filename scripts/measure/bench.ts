import { benchAll } from "./bench-all.ts";
import { benchBackup } from "./bench-backup.ts";
import { benchBoot } from "./bench-boot.ts";
import { benchCharge } from "./bench-charge.ts";
import { benchFind } from "./bench-find.ts";
import { benchForges } from "./bench-forges.ts";
import { benchGrowth } from "./bench-growth.ts";
import { benchHttp } from "./bench-http.ts";
import { benchImport } from "./bench-import.ts";
import { benchIndex } from "./bench-index.ts";
import { benchIngest } from "./bench-ingest.ts";
import { benchMcp } from "./bench-mcp.ts";
import { benchNodes } from "./bench-nodes.ts";
import { benchPages } from "./bench-pages.ts";
import { benchRestart } from "./bench-restart.ts";
import { benchSearch } from "./bench-search.ts";
import { benchStart } from "./bench-start.ts";
import { benchWho } from "./bench-who.ts";
import { documentFigures } from "./document-figures.ts";

const benches = {
  all: benchAll,
  backup: benchBackup,
  boot: benchBoot,
  charge: benchCharge,
  document: documentFigures,
  find: benchFind,
  forges: benchForges,
  growth: benchGrowth,
  http: benchHttp,
  index: benchIndex,
  import: benchImport,
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
const name = isNamed ? first : "all";
if (!isBench(name)) {
  console.error(`unknown measurement "${name}"; known: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const allMet = await benches[name](isNamed ? rest : process.argv.slice(2));
process.exit(allMet ? 0 : 1);

function isBench(text: string): text is keyof typeof benches {
  return Object.hasOwn(benches, text);
}
