import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { formatScore } from "../../../contract/format.ts";
import { describeFirstRole, listNamedRoles } from "../../../contract/people/profile-analysis.ts";
import { readInput } from "../../../contract/read.ts";
import { SearchRequest } from "../../../contract/requests.ts";
import { explainRange, listAssistance, viewTerms } from "../../../operations/analysis-view.ts";
import type { Modules } from "../../../operations/operation.ts";
import { openPlaces } from "../../../places/places.ts";
import { chooseSource, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { createOptions, readFlags } from "../operation-command.ts";
import { showParts } from "../show-answer.ts";
import { printTable } from "../table.ts";
import { printJson } from "../terminal.ts";

/** The fields that become flags. The number of results and the offset are left out, because they change no rank. */
const { maxResults, offset, ...filters } = SearchRequest.properties;

/** Creates the command that explains a developer's scores or, with a query, the developer's rank in the results. */
export function createExplainCommand(context: CliContext): Command {
  const command = new Command("explain")
    .summary("Explain a developer's scores, or why a search shows a developer or not")
    .description(
      "Shows what every score consists of. With a query, it shows which conditions the developer meets, and the score and " +
        "rank. A query is JSON, or the flags of search.",
    )
    .argument("<login>", "login of the developer")
    .option("--query <JSON>", "a search request as JSON, as for the REST API");
  for (const [field, schema] of Object.entries(filters)) {
    for (const option of createOptions(field, schema)) command.addOption(option);
  }
  context
    .commonOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  roster explain ada-example\n" +
        "  roster explain ada-example --location Berlin --skills Go,Kubernetes --strict-skills\n" +
        "  roster explain ada-example --location Worldwide --repository acme/payments\n" +
        `  roster explain ada-example --query '{"location":"Berlin","role":"backend"}'`,
    );
  return command.action(async (login: string, flags: Flags) => {
    const query = readQuery(flags);
    const asJson = flags["json"] === true;
    const explain = async ({ modules }: DataFolder) => {
      const isKnown = query
        ? await explainQuery(context, modules, { login, query, asJson })
        : await explainScores(context, modules, { login, asJson });
      if (!isKnown) throw new Fault("not_found", `no developer has the login ${login}`);
    };
    const source = await chooseSource(context, flags);
    await openAnswers(context, { flags, source }, explain, { search: query !== undefined });
  });
}

/** Reads the query from `--query` and the search flags. A search flag overrides its field in `--query`. */
function readQuery(flags: Flags): SearchRequest | undefined {
  const given = readFlags(SearchRequest, flags);
  const text = flags["query"];
  if (text === undefined && Object.keys(given).length === 0) return undefined;
  let query: unknown = {};
  try {
    if (text !== undefined) query = JSON.parse(String(text));
  } catch (error) {
    throw createUsageFault(`--query must be JSON: ${(error as Error).message}`);
  }
  const isObject = typeof query === "object" && query !== null && !Array.isArray(query);
  return readInput(SearchRequest, isObject ? Object.assign({}, query, given) : query);
}

async function explainQuery(
  { terminal }: CliContext,
  { pool, search }: Modules,
  request: { readonly login: string; readonly query: SearchRequest; readonly asJson: boolean },
): Promise<boolean> {
  const { query } = request;
  const features = await pool.findRankingFeatures(request.login);
  if (!features) return false;
  const explanation = await search.explain(features, query);
  if (request.asJson) {
    printJson(terminal, { query, ...explanation });
    return true;
  }
  const { login, verdicts, placing, total, locationSuggestions } = explanation;
  terminal.result(
    placing
      ? `${login} is in: rank ${placing.rank} of ${total} with match ${formatScore(placing.score)} ` +
          `(experience and breadth ${placing.profile}, skills of the search ${placing.techStack}, activity ${placing.activity})`
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
  { pool }: Modules,
  request: { readonly login: string; readonly asJson: boolean },
): Promise<boolean> {
  const [analysis] = await pool.findAnalyses([request.login]);
  if (!analysis) return false;
  const { login } = analysis.profile;
  const { scores, explanation, modelVersion, asOf, confidence } = analysis;
  if (request.asJson) {
    const { assistance, activity } = analysis;
    const credits = activity.credits;
    const why = { explanation, assistance, credits };
    printJson(terminal, { login, scores, confidence, ...why, modelVersion, asOf });
    return true;
  }
  const [role] = listNamedRoles(analysis);
  const as = role ? ` as ${role.role}` : "";
  terminal.result(
    `${login}: ${formatScore(scores.score)}${as} (as of ${asOf}, model ${modelVersion})`,
  );
  terminal.result(describeFirstRole(analysis));
  const { profile, techStack, activity } = scores.scores;
  showParts(terminal, [
    viewTerms(`experience and breadth ${profile} (15 %)`, explanation.profile),
    viewTerms(`tech stack ${techStack} (50 %)`, explanation.techStack),
    viewTerms(`activity ${activity} (35 %)`, explanation.activity),
    viewTerms(`match for ${scores.role}`, explanation.roleMatch),
    { lines: () => [...listAssistance(analysis), ...explainRange(analysis)] },
  ]);
  return true;
}

export function createPlacesCommand(context: CliContext): Command {
  const explain = new Command("explain")
    .summary("Show how a location text is read, and why")
    .argument("<text...>", 'a location as people write it, e.g. "Berlin / Lisbon"');
  context
    .commonOptions(explain)
    .addHelpText("after", '\nExample:\n  roster places explain "SF Bay Area"');
  explain.action((words: string[], flags: Flags) => {
    const text = words.join(" ");
    const resolution = openPlaces().resolve(text);
    if (flags["json"]) printJson(context.terminal, { text, ...resolution });
    else {
      printTable(
        context.terminal,
        ["place", "kind", "matched", "confidence"],
        resolution.places.map(({ place, matched, confidence }) => [
          place.fullName,
          place.kind,
          matched,
          confidence.toFixed(2),
        ]),
      );
      if (resolution.remote) context.terminal.result("remote");
      for (const step of resolution.why) context.terminal.result(`  ${step}`);
    }
    context.end(
      resolution.places.length > 0 || resolution.remote ? exitCodes.ok : exitCodes.notFound,
    );
  });
  return new Command("places").summary("Show what each location text means").addCommand(explain);
}
