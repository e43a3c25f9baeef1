/** Shows the answer of who_knows in a terminal and to models. */

import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import { formatCount, formatCounted, formatDate, formatShare } from "../contract/format.ts";
import type { OwnershipFiles } from "../contract/people/ownership-drift.ts";
import type { KnowingPerson, WhoData } from "../contract/people/who-knows.ts";
import { describeLeftOut, listAuthorSentences } from "./author-sentence.ts";
import { joinKnown, type ViewPart } from "./view.ts";

/** The answer of `who_knows`. Fields that slim answers leave out are optional. */
type KnowledgeView = Omit<WhoData, "people" | "modelVersion" | "handover"> &
  Partial<Pick<WhoData, "modelVersion">> & {
    readonly handover?: HandoverView;
    readonly people: readonly (Omit<KnowingPerson, "lastActive"> &
      Partial<Pick<KnowingPerson, "lastActive">>)[];
  };

type Handover = NonNullable<WhoData["handover"]>;
type HandedFolder = Handover["folders"][number];
type HandedPart = Pick<HandedFolder, "lost" | "next"> & Partial<HandedFolder>;
type HandoverView = Pick<Handover, "files" | "lost" | "unmeasured"> &
  Partial<Pick<Handover, "logins">> & {
    readonly repositories?: readonly (HandedPart & { readonly name: string })[];
    readonly folders: readonly (HandedPart & { readonly path: string })[];
  };

const namedRepositoriesMax = 5;

export function viewKnowledge(data: KnowledgeView): ViewPart[] {
  const { people, soleFiles, orphanedFiles } = data;
  const { repositories, unknownPaths = [], package: known, modelVersion } = data;
  const where =
    repositories.length > namedRepositoriesMax
      ? formatCounted(repositories.length, "repository", "repositories")
      : repositories.map(({ name }) => quoteForModel(name)).join(", ");
  const missing = unknownPaths.map(quoteForModel).join(", ");
  const relation = known?.relation === "makes" ? "are the source of" : "import";
  if (data.isChange && repositories.length === 0) {
    return ["The change touches no file, so it needs no review."];
  }
  return [
    missing &&
      (data.isChange
        ? `New or generated, answered by the people of the nearest folder: ${missing}.`
        : `Unknown paths: ${missing}.`),
    known ? `Files in ${where} that ${relation} ${quoteForModel(known.name)}.` : "",
    sayWho(data, where),
    describeLeftOut(data),
    ...(data.handover ? viewHandover(data.handover) : []),
    ...viewPeople(people),
    ...listAuthorSentences(data, (kind, text) =>
      kind === "name" || kind === "path" ? quoteForModel(text) : cleanForModel(text),
    ),
    sayTruckFactor(data),
    ...(data.ownership ? viewOwnership(data.ownership) : []),
    `${formatCounted(soleFiles.total, "file is", "files are")} known to one person only, ${formatCount(orphanedFiles.total)} to no active person.`,
    data.historyEnd === undefined
      ? ""
      : `Data of ${where} ends on ${formatDate(data.historyEnd)}; later work may exist.`,
    `As of ${formatDate(data.asOf)}${modelVersion ? `, by model ${cleanForModel(modelVersion)}` : ""}.`,
  ];
}

/** Says how few people must leave until nobody knows half of the files, or the only file. */
function sayTruckFactor({ truckFactor, people, files }: KnowledgeView): string {
  const what = files === 1 ? "this file" : "half of the files";
  const logins = truckFactor.logins.map((login) => cleanForModel(login)).join(", ");
  if (truckFactor.people > 0) {
    return `Truck factor ${truckFactor.people}: without ${logins}, no active person knows ${what}.`;
  }
  return people.length > 0 ? `No active person knows ${what}.` : "";
}

function sayWho({ isChange, people, total, files, leftOut }: KnowledgeView, where: string): string {
  const first = total === 1 ? "1 person" : `${people.length} of ${formatCount(total)} people`;
  if (people.length === 0) {
    if (isChange) return `No reviewer is known in ${where}.`;
    return files === 0
      ? `No change of these files in ${where} counts${leftOut ? "" : ": they are empty or binary, or the clone is shallow"}.`
      : "No known person has worked on these files.";
  }
  const these = files === 1 ? "this file" : `these ${formatCount(files)} files`;
  return isChange
    ? `${first} in ${where} can review this change, best first.`
    : `${first} who worked on ${these} in ${where}, best first.`;
}

/** Shows people who have left in a part of their own. */
function viewPeople(people: KnowledgeView["people"]): ViewPart[] {
  const left = people.findIndex(({ hasLeft }) => hasLeft);
  const view = (some: typeof people, from: number, title?: string): ViewPart => ({
    lines: () => [
      ...(title ? [`${title[0]?.toUpperCase()}${title.slice(1)}:`] : []),
      ...some.map((person, at) => formatPerson(person, from + at)),
    ],
    table: {
      ...(title && { title }),
      headings: ["login", "name", "share", "last active", "because of"],
      rows: () =>
        some.map(({ login, name = "", score, lastActive = "", reasons: [reason = ""] }) => [
          ...[login, name, formatShare(score / 100), lastActive, reason],
        ]),
    },
  });
  if (left === -1) return [view(people, 0)];
  return [
    ...(left > 0 ? [view(people.slice(0, left), 0)] : []),
    view(people.slice(left), left, "people who left"),
  ];
}

function formatPerson(person: KnowledgeView["people"][number], at: number): string {
  const { login, name, score, isActive, lastActive, emails, reasons } = person;
  const day = lastActive ? formatDate(lastActive) : "";
  return joinKnown([
    `${at + 1}. ${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}: ${formatShare(score / 100)}`,
    isActive ? "active" : `not active${day && ` since ${day}`}`,
    emails.length > 0 && `e-mail ${emails.map(quoteForModel).join(", ")}`,
    reasons.map((reason) => cleanForModel(reason)).join(" "),
  ]);
}

const handedRowsMax = 20;

function viewHandover({ logins, files, lost, ...parts }: HandoverView): ViewPart[] {
  const { repositories = [], folders, unmeasured = 0 } = parts;
  const who = (logins ?? ["them"]).map((login) => cleanForModel(login)).join(", ");
  if (files === 0) return [`Without ${who} nothing changes: ${who} knows none of these files.`];
  const named = repositories.map((one) => ({ ...one, path: one.name }));
  const by = named.length > 0 ? "by repository, then by folder" : "by folder";
  const isCut = Math.max(named.length, folders.length) > handedRowsMax;
  const nextOf = ({ next }: HandedPart) =>
    next.map(({ login, share }) => `${cleanForModel(login)} ${formatShare(share)}`).join(", ");
  return [
    `Without ${who}: of ${formatCounted(files, "file")} that they know, nobody else knows ${formatCount(lost)}, ${by}${isCut ? `, the first ${handedRowsMax}` : ""}.`,
    unmeasured > 0
      ? `${formatCounted(unmeasured, "repository", "repositories")} with less of their work are not measured.`
      : "",
    {
      lines: () =>
        [...named.slice(0, handedRowsMax), ...folders.slice(0, handedRowsMax)].map(
          (part) =>
            `- ${quoteForModel(part.path || "(top)")}: ${formatCount(part.lost)} known to nobody else, ` +
            (part.next.length > 0 ? `next ${nextOf(part)}.` : "nobody is next."),
        ),
      table: {
        title: "hand-over",
        headings: ["folder", "files", "theirs", "only theirs", "they know", "next"],
        rows: () =>
          [...named, ...folders].map((part) => [
            ...[part.path || "(top)", String(part.files ?? ""), String(part.known ?? "")],
            ...[String(part.lost), formatShare(part.share ?? 0), nextOf(part) || "nobody"],
          ]),
      },
    },
  ];
}

const driftingRulesMax = 10;

function viewOwnership({ files, judged, drifting }: OwnershipFiles): ViewPart[] {
  const { total, rules } = drifting;
  const first = files.slice(0, 3).map(quoteForModel).join(", ");
  const others = files.length > 3 ? ` and ${files.length - 3} more` : "";
  const left =
    total > rules.length ? `, of which ${total - rules.length} are not in this answer` : "";
  return [
    `Ownership files (${first}${others}): ` +
      (judged === 0
        ? "their rules for these files hold for others, too. Ask about the whole repository to compare them with history."
        : `history contradicts ${total} of ${judged} ${judged === 1 ? "rule" : "rules"}${left}.`),
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
