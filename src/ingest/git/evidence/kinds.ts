/** The kinds of evidence in files of the newest tree, and the functions that read them. */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import type { TreeFile } from "../repository/objects.ts";
import { joinFileTables } from "./file-table.ts";
import { findHostReader } from "./hosts.ts";
import { findImports, listImports } from "./imports.ts";
import { manifests } from "./manifests.ts";
import { nativeBuilds } from "./native-builds.ts";
import { packageLists } from "./package-lists.ts";
import { findKnownPackage } from "./package-names.ts";
import { findDefining, listDefined } from "./products.ts";
import { selectDescribing } from "./stated-description.ts";
import { listAnnounced, listDescribed } from "./subjects.ts";
import type { TextFile, TreeContext } from "./text-files.ts";
import { toolFiles } from "./tool-files.ts";

/** A kind of evidence that is read from files of the newest tree. */
interface KindOfFile {
  /** Which edits are evidence: edits of the file, of sources in its project's folder, or of all sources in the repository. */
  readonly to: "file" | "folder" | "repository";
  readonly kind: EvidenceKind;
  readonly select: (tree: EvidenceTree) => readonly TreeFile[];
  readonly read: (file: TextFile, context: TreeContext) => readonly string[];
}

interface EvidenceTree {
  /** The files, without empty and large ones. */
  readonly files: readonly TreeFile[];
  /** The README. It may have another name, or be the target of a link. */
  readonly readme: TreeFile | undefined;
  /** Whether the file is neither foreign, generated nor documentation. */
  readonly isOwn: (file: TreeFile) => boolean;
}

/** The most files of each kind that are examined in one repository, and the most packages of one file. */
const codeMax = 5000;
const manifestsMax = 2000;
const importsMax = 500;

const isProjectFile = ({ path }: TreeFile) => findDefining(path) || findHostReader(path);

export const evidenceKinds: readonly KindOfFile[] = [
  {
    to: "file",
    kind: "import",
    select: ({ files, isOwn }) => {
      const code = files.filter(({ path }) => findImports(path) && !findManifest(path));
      return sample(code.filter(isOwn), codeMax);
    },
    read({ path, text }, { ownFiles, vocabulary }) {
      const imported = listImports(path, text, ownFiles);
      const known = new Set(imported.flatMap((name) => findKnownPackage(name, vocabulary) ?? []));
      return [...known].slice(0, importsMax).sort();
    },
  },
  {
    to: "folder",
    kind: "product",
    select: ({ files, isOwn }) =>
      files.filter((file) => isProjectFile(file) && isOwn(file)).slice(0, manifestsMax),
    read(file, context) {
      const hosts = findHostReader(file.path)?.(file.text) ?? [];
      return [...listDefined(file, context), ...hosts];
    },
  },
  {
    to: "repository",
    kind: "product",
    select: ({ readme }) => (readme ? [readme] : []),
    read: listDescribed,
  },
  {
    to: "repository",
    kind: "product",
    select: ({ files }) => selectDescribing(files),
    read: listAnnounced,
  },
];

export const findManifest = joinFileTables(manifests, nativeBuilds, packageLists, toolFiles);

/** Takes items at even distances if there are more items than the limit. */
function sample<T>(items: readonly T[], max: number): readonly T[] {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
}
