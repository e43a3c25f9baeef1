/** Writes sentences about the authors of a change, and about files that are left out. Comments, terminals, models and pages show the same sentences. */
import { formatCounted, formatDate, formatShare } from "../contract/format.ts";
import type { ChangeAuthor, WhoData } from "../contract/people/who-knows.ts";

/** Makes a text that others wrote safe to show. */
type ShowText = (kind: "login" | "name" | "path" | "day", text: string) => string;

const shownMax = 5;
/** An author whose first commit is at most this old is new. */
const newDays = 30;

/** @param show makes a text safe to show; by default it returns the text unchanged. */
export function listAuthorSentences(
  { authors = [], historyStart, asOf }: Pick<WhoData, "authors" | "historyStart" | "asOf">,
  show: ShowText = (_, text) => text,
): readonly string[] {
  // If the commits name their authors, an unknown account is left out. It may only have opened the change.
  const known = authors.filter(({ given, standing }) => standing !== "unknown" || isAddress(given));
  const shown = known.length > 0 ? known : authors;
  const more = shown.length - shownMax;
  const newSince = historyStart === undefined ? Date.parse(asOf) - newDays * 86_400_000 : Infinity;
  return [
    ...shown.slice(0, shownMax).map((author) => `Author ${sayAuthor(author, newSince, show)}`),
    ...(more > 0 ? [`Authors: ${more} more.`] : []),
    ...(historyStart !== undefined
      ? [`Data begins on ${show("day", formatDate(historyStart))}; earlier work may exist.`]
      : []),
  ];
}

const isAddress = (given: string) => given.includes("@", 1);

const sayings = {
  bot: "is a bot.",
  assistant: "is an AI assistant.",
  new: "is new here: this is their first change. Welcome.",
  unknown: "is not known here. This may be their first change.",
};

function sayAuthor(author: ChangeAuthor, newSince: number, show: ShowText): string {
  const { login, name, given, standing, first = "" } = author;
  const stated = given.replace(/<[^<>]*>\s*$/, "").trim();
  const unknown = stated === "" || isAddress(stated) ? "without a name" : show("name", stated);
  const who = login ? `${show("login", login)}${name ? ` ${show("name", name)}` : ""}` : unknown;
  if (standing !== "known") return `${who} ${sayings[standing]}`;
  return `${who}${Date.parse(first) >= newSince ? " is new" : ""}: ${sayWork(author, show)}`;
}

function sayWork(author: ChangeAuthor, show: ShowText): string {
  const { commits = 0, assisted = 0, reviews = 0, first, folders = [], isByName } = author;
  const done = [
    commits > 0 && `${formatCounted(commits, "commit")} to files here`,
    reviews > 0 && formatCounted(reviews, "review"),
  ];
  const since = commits + reviews === 1 ? ", on" : " since";
  const known = folders.map(({ path, share }) => {
    return `${path === "" ? "the top folder" : show("path", path)} ${formatShare(share)}`;
  });
  const sentences = [
    first === undefined
      ? "named in the history, with no commit or review that counts."
      : `${done.filter(Boolean).join(" and ")}${since} ${show("day", formatDate(first))}.`,
    known.length > 0 && `Knows best ${known.join(", ")}.`,
    assisted > 0 && `${formatCounted(assisted, "commit")} marked as written with an AI assistant.`,
    isByName && "Found by the name alone.",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** Says how many files are left out, and why. Returns an empty text if none are. */
export function describeLeftOut({ leftOut }: Pick<WhoData, "leftOut">): string {
  const told = Object.entries(leftOut ?? {})
    .filter(([, count]) => count > 0)
    .map(([how, count]) => `${formatCounted(count, "file is", "files are")} left out as ${how}`);
  return told.length > 0 ? `${told.join(", ")}.` : "";
}
