import { benchCharge } from "./bench-charge.ts";
import { benchIngest } from "./bench-ingest.ts";
import { benchSearch } from "./bench-search.ts";
import { benchStart } from "./bench-start.ts";

const benches = {
  charge: benchCharge,
  ingest: benchIngest,
  search: benchSearch,
  start: benchStart,
};

const [first, ...rest] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith("-");
const name = isNamed ? first : "search";
if (name !== "charge" && name !== "ingest" && name !== "search" && name !== "start") {
  console.error(`unknown measurement "${name}"; known: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const allMet = await benches[name](isNamed ? rest : process.argv.slice(2));
process.exit(allMet ? 0 : 1);
