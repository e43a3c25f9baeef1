import { Command } from "commander";
import { openPlaces } from "../../../places/places.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson, printTable } from "../terminal.ts";

/** `places explain TEXT`: what a location text was read as, and why. */
export function createPlacesCommand(session: CliContext): Command {
  const explain = new Command("explain")
    .summary("Show what a location text is read as, and why")
    .argument("<text...>", 'a location as people write it, e.g. "Berlin / Lisbon"');
  // The gazetteer is in the program; --data is taken all the same, as by every command.
  session
    .commonOptions(explain)
    .addHelpText("after", '\nExample:\n  roster places explain "SF Bay Area"');
  explain.action((words: string[], flags: Record<string, unknown>) => {
    const text = words.join(" ");
    const resolution = openPlaces().resolve(text);
    if (flags["json"]) printJson(session.terminal, { text, ...resolution });
    else {
      printTable(
        session.terminal,
        ["place", "kind", "matched", "confidence"],
        resolution.places.map(({ place, matched, confidence }) => [
          place.fullName,
          place.kind,
          matched,
          confidence.toFixed(2),
        ]),
      );
      if (resolution.remote) session.terminal.result("remote");
      for (const step of resolution.why) session.terminal.result(`  ${step}`);
    }
    session.end(
      resolution.places.length > 0 || resolution.remote ? exitCodes.ok : exitCodes.notFound,
    );
  });
  return new Command("places").summary("Ask the gazetteer").addCommand(explain);
}
