/** The command line of `scripts/fuzz`. */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { asPositive, asSeed } from "../exploring/options.ts";
import { runCampaign, type Summary } from "./campaign.ts";
import { isKind, kindNames, kinds } from "./kinds.ts";
import { programName } from "./program.ts";

const command = new Command("scripts/fuzz")
  .description("Sends bad input to the running program, and reports what failed.")
  .addArgument(new Argument("[kind]", "default: all of them").choices(kindNames))
  .option("--minutes <N>", "how long each kind runs", asPositive, 1)
  .option("--seed <S>", "a whole number; the same one gives the same inputs", asSeed)
  .parse();

const { minutes, seed = randomInt(2 ** 31) } = command.opts<{ minutes: number; seed?: number }>();
const chosen = command.args.filter(isKind);
console.log(`seed ${seed}, ${minutes} min of each kind, against ${programName()}`);

let findings = 0;
for (const name of chosen.length > 0 ? chosen : kindNames) {
  const folder = mkdtempSync(join(tmpdir(), `roster-fuzz-${name}-`));
  try {
    const summary = await runCampaign(kinds[name], folder, {
      seed,
      milliseconds: minutes * 60_000,
    });
    show(name, summary);
    findings += summary.findings.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(findings === 0 ? 0 : 1);

function show(name: string, summary: Summary): void {
  const { cases, seconds, findings, peakMegabytes, endMegabytes, notes } = summary;
  const memory = `memory at most ${peakMegabytes} MB, ${endMegabytes} MB at the end`;
  const speed = (cases / seconds).toFixed(1);
  console.log(
    `${name}: ${cases} cases, ${speed}/s, ${findings.length} findings; ${memory}${notes}`,
  );
  for (const { what, seed, number, times, reproduction } of findings) {
    console.log(`  ${what}`);
    if (reproduction === undefined) continue;
    console.log(`    case ${number} of scripts/fuzz ${name} --seed ${seed}; met ${times} times`);
    console.log(`    ${reproduction}`);
  }
}
