/** What who_knows shows: the people who know the files, and how many of the files depend on few of them. */
import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import type { OwnershipFiles } from "../contract/people/ownership-drift.ts";
import type { KnowingPerson, WhoData } from "../contract/people/who-knows.ts";
import { joinKnown, type ViewPart } from "./view.ts";

/** Fields that slim answers leave out are optional. */
type KnowledgeView = Omit<WhoData, "people" | "modelVersion"> &
  Partial<Pick<WhoData, "modelVersion">> & {
    readonly people: readonly (Omit<KnowingPerson, "lastActive"> &
      Partial<Pick<KnowingPerson, "lastActive">>)[];
  };

export function viewKnowledge(data: KnowledgeView): ViewPart[] {
  const { people, total, files, truckFactor, soleFiles, orphanedFiles } = data;
  const { repositories, unknownPaths = [], package: known, modelVersion } = data;
  const where = repositories.map(({ name }) => quoteForModel(name)).join(", ");
  const missing = unknownPaths.map(quoteForModel).join(", ");
  const relation = known?.relation === "makes" ? "are the source of" : "import";
  const logins = truckFactor.logins.map((login) => cleanForModel(login)).join(", ");
  return [
    missing && `Never there: ${missing}.`,
    known ? `Files in ${where} that ${relation} ${quoteForModel(known.name)}.` : "",
    people.length === 0
      ? "Nobody who is known has worked on these files."
      : `${people.length} of ${total} people who worked on these ${files} files in ${where}, best first.`,
    {
      lines: () => people.map(formatPerson),
      table: {
        headings: ["login", "name", "score", "last active", "because of"],
        rows: () =>
          people.map(({ login, name = "", score, lastActive = "", reasons: [reason = ""] }) => [
            ...[login, name, score.toFixed(1), lastActive, reason],
          ]),
      },
    },
    truckFactor.people > 0
      ? `Truck factor ${truckFactor.people}: without ${logins} half of the files are known to nobody.`
      : people.length > 0
        ? "Half of the files are already known to nobody who is left."
        : "",
    ...(data.ownership ? viewOwnership(data.ownership) : []),
    `${soleFiles.total} files are known to one person only, ${orphanedFiles.total} to nobody who is left.`,
    data.historyEnd === undefined
      ? ""
      : `What was read of ${where} ends on ${cleanForModel(data.historyEnd)}: who is active since is not known.`,
    `As of ${cleanForModel(data.asOf)}${modelVersion ? `, by model ${cleanForModel(modelVersion)}` : ""}.`,
  ];
}

function formatPerson(person: KnowledgeView["people"][number], at: number): string {
  const { login, name, score, isActive, lastActive, emails, reasons } = person;
  const day = lastActive ? cleanForModel(lastActive) : "";
  return joinKnown([
    `${at + 1}. ${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}: ${score}`,
    isActive === undefined
      ? day && `last commit read ${day}`
      : isActive
        ? "active"
        : `not active${day && ` since ${day}`}`,
    emails.length > 0 && `e-mail ${emails.map(quoteForModel).join(", ")}`,
    reasons.map((reason) => cleanForModel(reason)).join(" "),
  ]);
}

/** The structured content has more. */
const driftingRulesMax = 10;

function viewOwnership({ files, judged, drifting }: OwnershipFiles): ViewPart[] {
  const { total, rules } = drifting;
  const first = files.slice(0, 3).map(quoteForModel).join(", ");
  const others = files.length > 3 ? ` and ${files.length - 3} more` : "";
  const left =
    total > rules.length ? `, of which ${total - rules.length} are not in this answer` : "";
  return [
    `Ownership files (${first}${others}): history contradicts ${total} of ${judged} rules${left}.`,
    {
      lines: () => rules.slice(0, driftingRulesMax).map(formatRule),
      table: {
        title: "ownership files",
        headings: ["rule", "for", "who", "what history says"],
        rows: () =>
          rules.flatMap(({ file, line, pattern, departed, unnamed }) => [
            ...departed.map(({ owner, reason }) => [`${file}:${line}`, pattern, owner, reason]),
            ...unnamed.map(({ login, reason }) => [`${file}:${line}`, pattern, login, reason]),
          ]),
      },
    },
  ];
}

function formatRule(rule: OwnershipFiles["drifting"]["rules"][number]): string {
  const { file, line, pattern, departed, unnamed } = rule;
  return joinKnown([
    `Line ${line} of ${quoteForModel(file)} for ${quoteForModel(pattern)}`,
    ...departed.map(
      ({ owner, reason }) => `owner ${quoteForModel(owner)}: ${cleanForModel(reason)}`,
    ),
    ...unnamed.map(({ login, reason }) => `${cleanForModel(login)}: ${cleanForModel(reason)}`),
  ]);
}
