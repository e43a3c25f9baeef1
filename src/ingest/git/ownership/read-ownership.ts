/** Reads the owners stated in the newest tree. The ledger stores these owners. */
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import type {
  RepositoryOwnership,
  UnreadOwnership,
} from "../../../contract/people/ownership-rule.ts";
import { getDepth } from "../../linguist/attributes.ts";
import type { Git } from "../git-command.ts";
import type { NewestTree } from "../repository/newest-tree.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import type { FoundRepository } from "../repository/view.ts";
import { hasSections, parseCodeOwners } from "./code-owners.ts";
import {
  type OwnerAliases,
  parseOwnerAliases,
  parseOwnersFile,
  statedOwnersMax,
} from "./owners-yaml.ts";

/** @package GitHub's limit on a CODEOWNERS file. */
export const codeOwnersBytesMax = 3 * 1024 * 1024;
const yamlBytesMax = 256 * 1024;
/** Limits on the OWNERS files of a repository. Files nearest to the root are read first. */
const foldersMax = 2000;
const foldersBytesMax = 16 * 1024 * 1024;
/** Limits on the rules of a repository, and on the lines reported as unread. */
const rulesMax = 10_000;
const unreadMax = 100;

/** @returns undefined when the tree has no file that states owners. */
export async function readOwnership(
  git: Git,
  { directory, origin }: Pick<FoundRepository, "directory" | "origin">,
  tree: Pick<NewestTree, "files" | "kindOf">,
): Promise<RepositoryOwnership | undefined> {
  const { wanted, unread } = selectFiles(tree, origin.forge);
  if (wanted.length === 0 && unread.length === 0) return undefined;
  const limit = createLimit();
  const kept: RepositoryOwnership[] = [{ rules: [], unread }];
  let aliases: OwnerAliases = new Map();
  await readBlobs(git, directory, { files: wanted, bytesMax: codeOwnersBytesMax }, (file, blob) => {
    const text = toFileText(blob);
    if (file.path === aliasesFile) aliases = parseOwnerAliases(text) ?? new Map();
    else kept.push(limit(parseFile(text, file.path, { aliases, ...origin })));
  });
  return {
    rules: kept.flatMap(({ rules }) => rules),
    unread: kept.flatMap((file) => file.unread).slice(0, unreadMax),
  };
}

const aliasesFile = "OWNERS_ALIASES";
const gitlabFile = ".gitlab/CODEOWNERS";
/** Paths of CODEOWNERS. A forge uses the first file that exists. */
const githubOrder = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", gitlabFile];
const gitlabOrder = ["CODEOWNERS", "docs/CODEOWNERS", gitlabFile, ".github/CODEOWNERS"];

/** @package @returns the CODEOWNERS file in force. */
export function findCodeOwners(byPath: ReadonlyMap<string, TreeFile>, forge: string | undefined) {
  const places = isGitlab(forge) ? gitlabOrder : githubOrder;
  return byPath.get(places.find((path) => byPath.has(path)) ?? "");
}

/** @package Chooses the path of a new CODEOWNERS file. */
export function chooseNewPlace(forge: string | undefined, kind?: ForgeKind): string {
  if (kind === "gitlab" || isGitlab(forge)) return gitlabFile;
  const isGithub = kind === "github" || forge?.split(".").includes("github");
  return isGithub ? ".github/CODEOWNERS" : "CODEOWNERS";
}

function selectFiles(
  { files, kindOf }: Parameters<typeof readOwnership>[2],
  forge: string | undefined,
): { readonly wanted: readonly TreeFile[]; readonly unread: readonly UnreadOwnership[] } {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const codeOwners = findCodeOwners(byPath, forge);
  const aliases = byPath.get(aliasesFile);
  const folders = files
    .filter(({ path }) => path === "OWNERS" || path.endsWith("/OWNERS"))
    .filter(({ path }) => !kindOf(path).vendored)
    .sort((a, b) => getDepth(a) - getDepth(b));
  const unread: UnreadOwnership[] = [];
  const fits = ({ path: file, bytes }: TreeFile, bytesMax: number): boolean => {
    if (bytes <= bytesMax) return true;
    unread.push({ file, line: 0, reason: `larger than ${bytesMax} bytes` });
    return false;
  };
  let left = foldersBytesMax;
  const near = folders.filter((file, at) => {
    if (!fits(file, yamlBytesMax)) return false;
    left -= file.bytes;
    if (at < foldersMax && left >= 0) return true;
    const reason = `more than ${foldersMax} such files or ${foldersBytesMax} bytes in them`;
    unread.push({ file: file.path, line: 0, reason });
    return false;
  });
  const wanted = [
    // Aliases come first, since other files refer to them.
    ...(aliases && fits(aliases, yamlBytesMax) ? [aliases] : []),
    ...(codeOwners && fits(codeOwners, codeOwnersBytesMax) ? [codeOwners] : []),
    ...near,
  ];
  return { wanted, unread };
}

function isGitlab(forge: string | undefined): boolean {
  return forge?.split(".").includes("gitlab") ?? false;
}

function parseFile(
  text: string,
  file: string,
  { aliases, forge }: { readonly aliases: OwnerAliases; readonly forge: string | undefined },
): RepositoryOwnership {
  if (file === "OWNERS" || file.endsWith("/OWNERS")) return parseOwnersFile(text, file, aliases);
  return parseCodeOwners(text, { file, form: findForm(file, text, forge) }, rulesMax);
}

/** @package Finds the forge whose rules a CODEOWNERS file follows. */
export function findForm(file: string, text: string, forge: string | undefined) {
  const isOfGitlab =
    file === gitlabFile || isGitlab(forge) || (forge !== "github.com" && hasSections(text));
  return isOfGitlab ? "gitlab" : "github";
}

/** Creates a limit on rules and owners. A file that exceeds the limit is left out as a whole. */
function createLimit(): (file: RepositoryOwnership) => RepositoryOwnership {
  let [rulesKept, ownersKept] = [0, 0];
  return (file) => {
    const rulesHere = file.rules.length;
    const ownersHere = file.rules.reduce((sum, { owners }) => sum + owners.length, 0);
    const [first] = file.rules;
    if (first && (rulesKept + rulesHere > rulesMax || ownersKept + ownersHere > statedOwnersMax)) {
      const reason = `with it more than ${rulesMax} rules or ${statedOwnersMax} owners in the repository`;
      return { rules: [], unread: [{ file: first.file, line: 0, reason }] };
    }
    rulesKept += rulesHere;
    ownersKept += ownersHere;
    return file;
  };
}
