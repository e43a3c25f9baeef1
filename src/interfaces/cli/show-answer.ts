/** Shows an operation's data to people at a terminal; scripts use --json. */
import type { Developer, SearchData } from "../../contract/people/developer.ts";
import type { FindData } from "../../contract/people/found-person.ts";
import type { OwnershipFiles } from "../../contract/people/ownership-drift.ts";
import {
  listNamedRoles,
  type ProfileAnalysis,
  type Term,
} from "../../contract/people/profile-analysis.ts";
import type { WhoData } from "../../contract/people/who-knows.ts";
import type { LookupData } from "../../contract/terms.ts";
import { printTable } from "./table.ts";
import { printFields, printJson, type Terminal } from "./terminal.ts";

const views: Record<string, (terminal: Terminal, data: never) => void> = {
  search_developers: showSearch,
  get_developer: showDeveloper,
  analyze_profile: showAnalysis,
  lookup_terms: showLookup,
  find_people: showFound,
  who_knows: showKnowing,
};

/** Shows the data by the operation's own view, or as indented JSON if it has none. */
export function showAnswer(terminal: Terminal, operation: string, data: unknown): void {
  const view = views[operation];
  if (view) view(terminal, data as never);
  else printJson(terminal, data, 2);
}

function showSearch(terminal: Terminal, data: SearchData): void {
  if (data.locationSuggestions) {
    // Quoted, since the names contain commas.
    const places = data.locationSuggestions.map((name) => `"${name}"`).join(" or ");
    terminal.note(`No known place with anybody in it.${places ? ` Try ${places}.` : ""}`);
    return;
  }
  const writing = data.roleLanguages ? `, writing ${data.roleLanguages.join(" or ")}` : "";
  if (data.role) terminal.note(`The role is read as ${data.role}${writing}.`);
  for (const skill of data.unknownSkills ?? []) terminal.note(`Nobody has "${skill}".`);
  for (const name of data.unknownRepositories ?? []) {
    terminal.note(`Nobody here has worked in the repository "${name}".`);
  }
  const near = data.repositorySuggestions ?? [];
  if (near.length > 0) terminal.note(`Similar repositories: ${near.join(", ")}.`);
  if (data.results.length === 0) {
    terminal.note(
      data.totalCount === 0 ? "Nobody matches." : `${data.totalCount} match, none on this page.`,
    );
    return;
  }
  printTable(
    terminal,
    ["login", "score", "location", "years", "commits/month", "keywords"],
    data.results.map((item) => [
      item.login,
      item.score.toFixed(1),
      item.location ?? "",
      item.platform_experience.toFixed(1),
      item.commits_per_month.toFixed(1),
      item.matching_keywords,
    ]),
  );
  terminal.note(`${data.matchedCount} of ${data.totalCount}.`);
}

function showLookup(terminal: Terminal, { terms }: LookupData): void {
  if (terms.length === 0)
    terminal.note("No place, skill, role or repository is called so or nearly so.");
  else {
    printTable(
      terminal,
      ["kind", "name", "people"],
      terms.map(({ kind, name, people }) => [kind, name, String(people)]),
    );
  }
}

function showFound(terminal: Terminal, { total, results }: FindData): void {
  if (results.length === 0) {
    terminal.note(total === 0 ? "Nobody is called so." : `${total} match, none on this page.`);
    return;
  }
  printTable(
    terminal,
    ["login", "name", "location", "role", "matched"],
    results.map(({ login, name = "", location = "", role = "", matched }) => [
      ...[login, name, location, role, matched],
    ]),
  );
  terminal.note(`${results.length} of ${total}.`);
}

function showKnowing(terminal: Terminal, data: WhoData): void {
  const { people, total, truckFactor, soleFiles, orphanedFiles, unknownPaths = [] } = data;
  for (const path of unknownPaths) terminal.note(`There never was a file or folder "${path}".`);
  if (data.package) {
    const { relation, name } = data.package;
    terminal.note(relation === "makes" ? `The source of ${name}.` : `Files that import ${name}.`);
  }
  if (people.length === 0) {
    terminal.note("Nobody who is known has worked on these files.");
    return;
  }
  printTable(
    terminal,
    ["login", "name", "score", "last active", "because of"],
    people.map(({ login, name = "", score, lastActive, reasons: [reason = ""] }) => [
      ...[login, name, score.toFixed(1), lastActive, reason],
    ]),
  );
  const { files } = data;
  terminal.note(
    `${people.length} of ${total} people; ${files} files, of which ${soleFiles.total} are known to one person only and ${orphanedFiles.total} to nobody who is left.`,
    truckFactor.people === 0
      ? "Half of the files are already known to nobody who is left."
      : `Truck factor ${truckFactor.people}: without ${truckFactor.logins.join(", ")} half of the files are known to nobody.`,
  );
  if (data.ownership) showOwnership(terminal, data.ownership);
}

function showOwnership(terminal: Terminal, ownership: OwnershipFiles): void {
  const { files, judged, drifting } = ownership;
  if (drifting.total > 0) {
    terminal.result("", "ownership files");
    printTable(
      terminal,
      ["rule", "for", "who", "what history says"],
      drifting.rules.flatMap(({ file, line, pattern, departed, unnamed }) => [
        ...departed.map(({ owner, reason }) => [`${file}:${line}`, pattern, owner, reason]),
        ...unnamed.map(({ login, reason }) => [`${file}:${line}`, pattern, login, reason]),
      ]),
    );
  }
  const more = drifting.total - drifting.rules.length;
  terminal.note(
    `${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}: history contradicts ${drifting.total} of ${judged} rules${more > 0 ? `, of which ${more} are not shown` : ""}.`,
  );
}

function showDeveloper(terminal: Terminal, developer: Developer): void {
  const { top_repositories, top_oss_contributions, matching_keywords, ...flat } = developer;
  printFields(terminal, [
    ...Object.entries(flat).map(([field, value]) => [field, String(value)] as const),
    ["matching_keywords", matching_keywords.join(", ")],
    ["top_repositories", top_repositories.map(({ name }) => name).join(", ")],
    [
      "top_oss_contributions",
      top_oss_contributions.map((one) => `${one.repository} (${one.tier_label})`).join(", "),
    ],
  ]);
}

function showAnalysis(terminal: Terminal, analysis: ProfileAnalysis): void {
  const { proficiency, scores, explanation } = analysis;
  const roles = listNamedRoles(analysis).slice(0, 5);
  terminal.result(analysis.summary.text);
  for (const caveat of analysis.summary.caveats) terminal.result(`  note: ${caveat}`);
  terminal.result("");
  printFields(terminal, [
    ["level", proficiency.level],
    ["score", `${scores.score}${roles[0] ? ` as ${roles[0].role}` : ""}`],
    ["confidence", analysis.confidence.toFixed(2)],
    ["roles", roles.map((one) => `${one.displayName} ${one.score}`).join(", ")],
    ["badges", analysis.badges.map(({ name }) => name).join(", ")],
    ["as of", `${analysis.asOf}, model ${analysis.modelVersion}`],
  ]);
  showTerms(terminal, `profile ${scores.scores.profile}`, explanation.profile);
  showTerms(terminal, `tech stack ${scores.scores.techStack}`, explanation.techStack);
  showTerms(terminal, `activity ${scores.scores.activity}`, explanation.activity);
  showAssistance(terminal, analysis);
}

/** Prints what is told of assistants, and whom others' commits name as their reviewer and the like. */
export function showAssistance(
  terminal: Terminal,
  { assistance, activity }: Pick<ProfileAnalysis, "assistance" | "activity">,
): void {
  const credits = activity.credits ?? [];
  if (!assistance && credits.length === 0) return;
  terminal.result("");
  for (const sentence of assistance?.evidence ?? []) terminal.result(`${sentence}.`);
  for (const { kind, count, first, last } of credits) {
    const named = creditTexts[kind];
    terminal.result(`${named} ${count} commits of others, ${first} to ${last}.`);
  }
}

const creditTexts = {
  ...{ reviewed: "Reviewed", tested: "Tested", reported: "Reported the reason of" },
  ...{ signedOff: "Signed off", acked: "Acknowledged" },
} as const;

/** Prints the terms that make up a score. */
export function showTerms(terminal: Terminal, title: string, terms: readonly Term[]): void {
  terminal.result("", title);
  printTable(
    terminal,
    ["  term", "value", "weight", "points", "at most", "because of"],
    terms.map((term) => [
      `  ${term.term}`,
      String(term.value),
      String(term.weight),
      String(term.points),
      String(term.cap),
      term.evidence.join("; "),
    ]),
  );
}
