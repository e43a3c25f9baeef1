/** Finds the subjects of a repository: the skills that the repository is about. */
import type { Evidence } from "../../../contract/people/facts.ts";
import type { Skill, Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { findDefinition } from "./definition.ts";
import { cutDescription, findDescription, keywordsMax } from "./stated-description.ts";
import type { TextFile, TreeContext } from "./text-files.ts";

const subjectMark = "subject:";
/** Marks the subjects of books. An author of a book need not have built its subject. */
const bookMark = "book:";

/** Whether a piece of evidence states the subject of a project. */
export function isSubject({ kind, name }: Pick<Evidence, "kind" | "name">): boolean {
  return kind === "product" && (name.startsWith(subjectMark) || name.startsWith(bookMark));
}

type Names = Pick<Vocabulary, "textSkills" | "subjectsOf">;

/** Lists the subjects that a README states. @returns `subject:SKILL`, or `book:SKILL` for a book. */
export function listDescribed(
  { text }: TextFile,
  { name, isBook, vocabulary }: TreeContext,
): readonly string[] {
  const { title, sentence, line } = findDefinition(text, name);
  const said = vocabulary.subjectsOf(`${sentence} .\n${line}`);
  const others = isBook
    ? vocabulary.textSkills(title).map(({ id }) => id)
    : [...listStated([title], vocabulary), ...listJoined(line, vocabulary)];
  return [...said, ...others].map((id) => formatSubject(id, isBook));
}

/** Lists the subjects in the description and keywords of a manifest. */
export function listAnnounced(
  { path, text }: TextFile,
  { isBook, vocabulary }: TreeContext,
): readonly string[] {
  const ids = listStated(findDescription(path, text), vocabulary);
  return ids.map((id) => formatSubject(id, isBook));
}

function formatSubject(id: string, isBook: boolean): string {
  return `${isBook ? bookMark : subjectMark}${id}`;
}

interface ForgeDescription {
  readonly description?: string | undefined;
  readonly topics?: readonly string[] | undefined;
}

/** Lists the ids of skills in the description and topics that a forge states. */
export function listStatedSubjects(
  { description = "", topics = [] }: ForgeDescription,
  vocabulary: Names,
): readonly string[] {
  const texts = [cutDescription(description), ...topics.slice(0, keywordsMax)];
  return [...new Set(listStated(texts, vocabulary))].sort();
}

function listStated(texts: readonly string[], vocabulary: Names): readonly string[] {
  return texts.flatMap((text) => [...vocabulary.subjectsOf(text), ...listJoined(text, vocabulary)]);
}

/**
 * Yields evidence for the subjects that a forge states. The evidence for a subject equals the evidence for the repository.
 * @param pieces all evidence of a person in the repository.
 */
export function* listSubjectPieces<Piece extends Pick<Evidence, "kind" | "name">>(
  pieces: readonly Piece[],
  told: readonly string[],
): Generator<Piece> {
  const known = new Set(pieces.map(({ name }) => name));
  const isBook = pieces.some(({ name }) => name.startsWith(bookMark));
  for (const piece of pieces) {
    if (piece.kind !== "product" || !piece.name.startsWith("repository:")) continue;
    for (const id of told) {
      const name = formatSubject(id, isBook);
      if (!known.has(name)) yield { ...piece, name };
    }
  }
}

/** Lists the skills in a short text such as "Zabbix collection for Ansible". Longer texts are ignored. */
function listJoined(whole: string, { textSkills }: Names): readonly string[] {
  const [text = ""] = whole.split(/[.,;(]/);
  if (!/\bfor\b/i.test(text) || text.split(/\s+/).length > joinedWordsMax) return [];
  return textSkills(text).flatMap(({ id, type }) =>
    isUsed.has(type) && !systems.has(id) ? [id] : [],
  );
}

/** Operating systems. They are not counted as subjects. */
const systems = new Set(["linux", "macos", "windows", "ubuntu", "debian", "fedora"]);

const joinedWordsMax = 12;
const isUsed: ReadonlySet<Skill["type"]> = new Set(["framework", "platform", "tool"] as const);
