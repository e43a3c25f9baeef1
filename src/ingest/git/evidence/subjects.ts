/** Finds the subjects of a repository: the skills that the repository is about. */
import type { Evidence } from "../../../contract/people/facts.ts";
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { findDefinition } from "./definition.ts";
import { cutDescription, findDescription, keywordsMax } from "./stated-description.ts";
import type { TextFile, TreeContext } from "./text-files.ts";

/** Whether a piece of evidence states the subject of a project. */
export const isSubject = ({ kind, name }: Pick<Evidence, "kind" | "name">): boolean =>
  kind === "product" && /^(subject|claimed|book):/.test(name);

type Names = Pick<Vocabulary, "subjectsOf">;

/** Lists the subjects that a README states, as `subject:SKILL`, `claimed:SKILL` or `book:SKILL`. */
export function listDescribed({ text }: TextFile, context: TreeContext): readonly string[] {
  const { name, isBook, vocabulary } = context;
  const { title, sentence, line, rest } = findDefinition(text, name);
  const ofTitle = isBook ? vocabulary.textSkills(title).map(({ id }) => id) : [];
  // The first text that names a subject decides. The others often list uses.
  const [first] = [sentence, line, isBook ? "" : title]
    .map((each) => vocabulary.subjectsOf(each))
    .filter(({ length }) => length > 0);
  if (!first && !isBook) {
    // What the rest of the introduction mentions needs paths that bear it out, and remains a claim. Files show languages better.
    const isBorneOut = (id: string) =>
      vocabulary.skillById(id)?.type !== "language" && context.names(id);
    const ofRest = rest.map((each) => vocabulary.subjectsOf(each).filter(isBorneOut));
    const [mentioned = []] = ofRest.filter(({ length }) => length > 0);
    return mentioned.map((id) => `claimed:${id}`);
  }
  return markSubjects([...ofTitle, ...(first ?? [])], context);
}

/** Lists the subjects in the description and keywords of a manifest. */
export function listAnnounced({ path, text }: TextFile, context: TreeContext): readonly string[] {
  const texts = findDescription(path, text);
  return markSubjects(texts.flatMap(context.vocabulary.subjectsOf), context);
}

function markSubjects(ids: readonly string[], { isBook, names }: TreeContext): readonly string[] {
  // An author of a book need not have built its subject. A sentence alone, which no path bears out, is weak evidence.
  return ids.map((id) => `${isBook ? "book" : names(id) ? "subject" : "claimed"}:${id}`);
}

/** @returns whether paths of the source code name a skill: all words of one of its names are words of paths. */
export function createNameCheck(
  source: readonly { readonly path: string }[],
  { subjectNames }: Pick<Vocabulary, "subjectNames">,
): (skillId: string) => boolean {
  const words = new Set(
    source.flatMap(({ path }) => [path, path.toLowerCase()].flatMap(splitPath)),
  );
  return (id) => subjectNames(id).some((name) => splitPath(name).every((word) => words.has(word)));
}

/** Splits at signs and capitals, and removes a plural's "s". */
function splitPath(path: string): readonly string[] {
  return path
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u)
    .flatMap((word) => (word === "" ? [] : [word.replace(/(?<=..)s$/, "")]));
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
  return [...new Set(texts.flatMap(vocabulary.subjectsOf))].sort();
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
  const isBook = pieces.some(({ name }) => name.startsWith("book:"));
  for (const piece of pieces) {
    if (piece.kind !== "product" || !piece.name.startsWith("repository:")) continue;
    for (const id of told) {
      const name = `${isBook ? "book" : "subject"}:${id}`;
      if (!known.has(name)) yield { ...piece, name };
    }
  }
}
