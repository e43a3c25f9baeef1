import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { readInput } from "../../../contract/read.ts";
import { SearchRequest } from "../../../contract/requests.ts";
import { openPlaces } from "../../../places/places.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { createOption, readFlags } from "../operation-command.ts";
import { showTerms } from "../show-answer.ts";
import { printJson, printTable } from "../terminal.ts";

/** Filters only: the page asked for changes nobody's place. */
const { maxResults, offset, ...filters } = SearchRequest.properties;

/**
 * `explain LOGIN`: every score of one developer with the terms that make it; with a query, why the
 * developer is in its result or is not. Counts no call.
 */
export function createExplainCommand(session: CliContext): Command {
  const command = new Command("explain")
    .summary("Show why a developer's scores are what they are, or why a search shows them or not")
    .description(
      "Shows every score with the terms that make it. With a query, as JSON or by the flags of search: " +
        "which of its conditions hold for this developer, and the score and rank it gives.",
    )
    .argument("<login>", "login of the developer")
    .option("--query <JSON>", "a search request, as REST takes it");
  for (const [field, schema] of Object.entries(filters)) {
    command.addOption(createOption(field, schema));
  }
  session
    .commonOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  roster explain ada-example\n" +
        "  roster explain ada-example --location Berlin --skills Go,Kubernetes --strict-skills\n" +
        `  roster explain ada-example --query '{"location":"Berlin","role":"backend"}'`,
    );
  return command.action(async (login: string, flags: Record<string, unknown>) => {
    const query = queryOf(flags);
    await session.withModules(
      flags,
      async ({ modules }) => {
        const isKnown = query
          ? await explainQuery(session, modules, { login, query, asJson: flags["json"] === true })
          : await explainScores(session, modules, { login, asJson: flags["json"] === true });
        if (isKnown) return exitCodes.ok;
        session.terminal.note(`roster explain: no developer has the login ${login}`);
        return exitCodes.notFound;
      },
      { search: query !== undefined },
    );
  });
}

/** @returns undefined when nothing is asked but the scores. A flag goes before the same field of the JSON. */
function queryOf(flags: Record<string, unknown>): SearchRequest | undefined {
  const given = readFlags(SearchRequest, flags);
  const text = flags["query"];
  if (text === undefined && Object.keys(given).length === 0) return undefined;
  let whole: unknown = {};
  try {
    if (text !== undefined) whole = JSON.parse(String(text));
  } catch (error) {
    throw createUsageFault(`--query must be JSON: ${(error as Error).message}`);
  }
  // What is no object is left to `read`, which says so.
  const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
  return readInput(SearchRequest, isObject ? Object.assign({}, whole, given) : whole);
}

type Rooms = DataFolder["modules"];

async function explainQuery(
  { terminal }: CliContext,
  { pool, search }: Rooms,
  asked: { readonly login: string; readonly query: SearchRequest; readonly asJson: boolean },
): Promise<boolean> {
  const person = await pool.findRankingFeatures(asked.login);
  if (!person) return false;
  const explained = await search.explain(person, asked.query);
  if (asked.asJson) {
    printJson(terminal, { query: asked.query, ...explained });
    return true;
  }
  const { login, verdicts, placing, total, locationSuggestions } = explained;
  terminal.result(
    placing
      ? `${login} is in: rank ${placing.rank} of ${total} with ${placing.score} ` +
          `(profile ${placing.profile}, tech stack ${placing.techStack}, activity ${placing.activity})`
      : `${login} is not among the ${total} found`,
  );
  printTable(
    terminal,
    ["condition", "holds", "asked for", "this developer"],
    verdicts.map(({ field, holds, asked, has }) => [field, holds ? "yes" : "NO", asked, has]),
  );
  if (locationSuggestions) terminal.note(`Similar places: ${locationSuggestions.join("; ")}`);
  return true;
}

async function explainScores(
  { terminal }: CliContext,
  { pool }: Rooms,
  { login, asJson }: { readonly login: string; readonly asJson: boolean },
): Promise<boolean> {
  const [analysis] = await pool.findAnalyses([login]);
  if (!analysis) return false;
  const { scores, explanation, modelVersion, asOf, confidence } = analysis;
  if (asJson) {
    printJson(terminal, { login, scores, confidence, explanation, modelVersion, asOf });
    return true;
  }
  terminal.result(
    `${login}: ${scores.score} as ${scores.role} (as of ${asOf}, model ${modelVersion})`,
  );
  const { profile, techStack, activity } = scores.scores;
  showTerms(terminal, `profile ${profile} (15 %)`, explanation.profile);
  showTerms(terminal, `tech stack ${techStack} (50 %)`, explanation.techStack);
  showTerms(terminal, `activity ${activity} (35 %)`, explanation.activity);
  showTerms(terminal, `match for ${scores.role}`, explanation.roleMatch);
  return true;
}

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
