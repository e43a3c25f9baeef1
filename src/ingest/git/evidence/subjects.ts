/** Finds the subjects of a repository: the skills that it is about, by what it says of itself. */
import type { Evidence } from "../../../contract/people/facts.ts";
import type { Skill, Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { ForgeRepository } from "../../forges/forge.ts";
import { decodeGitText, type Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import { type Definition, findDefinition } from "./definition.ts";
import { isReadme } from "./evidence-files.ts";
import {
  cutDescription,
  findDescription,
  keywordsMax,
  selectDescribing,
} from "./stated-description.ts";

const subjectMark = "subject:";
/** Whoever writes about something knows it, and need not make it. */
const bookMark = "book:";

/** Whether a piece of evidence is what a project is about. */
export function isSubject({ kind, name }: Pick<Evidence, "kind" | "name">): boolean {
  return kind === "product" && (name.startsWith(subjectMark) || name.startsWith(bookMark));
}

/** Limit of bytes per file. */
const bytesMax = 256 * 1024;

interface Tree {
  /** Of the repository, without its owner. */
  readonly name: string;
  readonly head: string;
  readonly files: readonly TreeFile[];
  /** Whether the repository is a book. */
  readonly isBook: boolean;
}

type Names = Pick<Vocabulary, "textSkills" | "subjectsOf">;

/**
 * Finds the subjects by the words in which the README says what the project is, and by the description and keywords of its
 * manifests; for a book also by the title.
 *
 * @returns `subject:SKILL`, or `book:SKILL`; sorted.
 */
export async function readSubjects(
  git: Git,
  directory: string,
  { name, head, files, isBook }: Tree,
  vocabulary: Names,
): Promise<readonly string[]> {
  const small = files.filter(({ bytes }) => bytes <= bytesMax);
  const readme = findReadme(small) ?? (await followLink(git, directory, { head, files: small }));
  const manifests = selectDescribing(small);
  const found = new Set<string>();
  await readBlobs(
    git,
    directory,
    { files: [...(readme ? [readme] : []), ...manifests], bytesMax },
    ({ path }, content) => {
      const text = toFileText(content);
      const ids =
        path === readme?.path
          ? listOfReadme(findDefinition(text, name), isBook, vocabulary)
          : listStated(findDescription(path, text), vocabulary);
      for (const id of ids) found.add(`${isBook ? bookMark : subjectMark}${id}`);
    },
  );
  return [...found].sort();
}

/** Lists ids of the skills that a repository is about by what its forge tells of it. */
export function listSubjectsTold(
  { description = "", topics = [] }: Pick<ForgeRepository, "description" | "topics">,
  vocabulary: Names,
): readonly string[] {
  const texts = [cutDescription(description), ...topics.slice(0, keywordsMax)];
  return [...new Set(listStated(texts, vocabulary))].sort();
}

function listStated(texts: readonly string[], vocabulary: Names): readonly string[] {
  return texts.flatMap((text) => [...vocabulary.subjectsOf(text), ...listJoined(text, vocabulary)]);
}

/**
 * Yields the evidence of what a forge tells that a repository is about: the same as that of its source.
 *
 * @param pieces all evidence of a person there.
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
      const name = `${isBook ? bookMark : subjectMark}${id}`;
      if (!known.has(name)) yield { ...piece, name };
    }
  }
}

function listOfReadme(
  { title, sentence, line }: Definition,
  isBook: boolean,
  vocabulary: Names,
): readonly string[] {
  const said = vocabulary.subjectsOf(`${sentence} .\n${line}`);
  if (isBook) return [...said, ...vocabulary.textSkills(title).map(({ id }) => id)];
  return [...said, ...listStated([title], vocabulary), ...listJoined(line, vocabulary)];
}

/** "Zabbix collection for Ansible": who writes it knows both. A longer text tells of users and uses. */
function listJoined(whole: string, { textSkills }: Names): readonly string[] {
  const [text = ""] = whole.split(/[.,;(]/);
  if (!/\bfor\b/i.test(text) || text.split(/\s+/).length > joinedWordsMax) return [];
  return textSkills(text).flatMap(({ id, type }) =>
    isUsed.has(type) && !systems.has(id) ? [id] : [],
  );
}

/** What nearly everything runs on. */
const systems = new Set(["linux", "macos", "windows", "ubuntu", "debian", "fedora"]);

const joinedWordsMax = 12;
const isUsed: ReadonlySet<Skill["type"]> = new Set(["framework", "platform", "tool"] as const);

/** `README.md` may be a link to another file of the tree. */
async function followLink(
  git: Git,
  directory: string,
  { head, files }: Pick<Tree, "head" | "files">,
): Promise<TreeFile | undefined> {
  const listed = await git
    .read(directory, ["ls-tree", head, "--", "README.md", "README.rst", "README"])
    .catch(() => undefined);
  const [, sha] =
    /^120000 blob ([0-9a-f]+)\t/m.exec(decodeGitText(listed ?? Buffer.alloc(0))) ?? [];
  let target: string | undefined;
  const links = sha === undefined ? [] : [{ sha }];
  await readBlobs(git, directory, { files: links, bytesMax }, (_, content) => {
    target = toFileText(content).replace(/^\.\//, "");
  });
  return files.find(({ path }) => path === target);
}

/** The README that forges show, or else one of another name. */
function findReadme(files: readonly TreeFile[]): TreeFile | undefined {
  return (
    files.find(({ path }) => isReadme.test(path)) ??
    files.find(({ path }) => /^readme\b[^/]*\.(md|rst|adoc|org|txt)$/i.test(path))
  );
}
