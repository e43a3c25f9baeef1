/**
 * Measures the population that `seed/model.json` cites: means and medians over the human authors of some repositories.
 * The constants are frozen, so that an import never moves the score of another person.
 *
 *   roster ingest git PATH... && roster export facts.jsonl
 *   scripts/seed model-population facts.jsonl 2026-11-21
 */
import { readFileSync } from "node:fs";
import { type Measured, measure, settledCommits } from "./model/measure.ts";
import { readPopulation } from "./model/population.ts";

const [path, asOf] = process.argv.slice(2);
if (!path || !asOf) throw new Error("model-population takes a file of facts and an as-of day");
const population = readPopulation(readFileSync(path, "utf8"));
const measured = measure(population, asOf);

console.log(
  `authors ${population.people.length} of ${population.repositories} repositories, ` +
    `with ${settledCommits} commits or more ${measured.settled}`,
);
for (const [what, values] of rowsOf(measured)) {
  const { n, mean, quartiles } = values;
  const shown = quartiles.map((each) => each.toFixed(2)).join(" ");
  console.log(`${what}: n ${n}, mean ${mean.toFixed(3)}, quartiles ${shown}`);
}
for (const [role, { leading, named }] of measured.leads) {
  const share = ((100 * leading) / Math.max(1, measured.settled)).toFixed(1);
  console.log(`role ${role}: leads for ${leading} (${share} %), may be named for ${named}`);
}

function rowsOf({ quality, semantic, activeMonths, bestYear, skills, paths, roles }: Measured) {
  return [
    ["share of good messages, authors of 20 or more", quality],
    ["share of conventional subjects, authors of 10 or more", semantic],
    ["share of active months in the best year, all authors", activeMonths],
    ["commits per month of the best year, settled authors", bestYear],
    ...[...skills].map(([type, each]) => [`weighted commits, ${type}`, each] as const),
    ["commits to a kind of file", paths],
    ...[...roles].map(([role, each]) => [`log odds, best role ${role}`, each] as const),
  ] as const;
}
