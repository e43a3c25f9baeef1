/** Examines the contents of files in the newest tree if contents tell more about the language than the path. */
import type {
  AttributesFile,
  ContentFinding,
  Linguist,
  TreeContents,
} from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile } from "./objects.ts";

/** Limits for one repository; further files are classified by path. */
const filesMax = 30_000;
const bytesMax = 256 * 1024 * 1024;
/** Linguist's limit: larger files are classified by path. */
const fileBytesMax = 1024 * 1024;
/** The most bytes of a repository's `.gitattributes` together. Further files are not read. */
const attributesBytesMax = 4 * 1024 * 1024;
/** Linguist's limit on the bytes examined, from the beginning of the file. */
const consideredMax = 128 * 1024;

/** Reads files with one `git cat-file --batch`. Only one file is in memory at a time. */
export async function readContents(
  git: Git,
  directory: string,
  files: readonly TreeFile[],
  linguist: Pick<Linguist, "isContentNeeded" | "examine">,
): Promise<TreeContents> {
  const findings = new Map<string, ContentFinding>();
  const attributes: AttributesFile[] = [];
  const wanted: TreeFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.bytes === 0) findings.set(file.path, linguist.examine(file.path, ""));
    else if (
      file.bytes <= fileBytesMax &&
      (isAttributes(file) || linguist.isContentNeeded(file.path))
    ) {
      bytes += file.bytes;
      if (wanted.length < filesMax && bytes <= bytesMax) wanted.push(file);
    }
  }
  let attributesLeft = attributesBytesMax;
  await readBlobs(git, directory, { files: wanted, bytesMax: fileBytesMax }, (file, blob) => {
    if (isAttributes(file)) {
      attributesLeft -= blob.length;
      if (attributesLeft < 0) return;
      attributes.push({ path: file.path, text: blob.toString("utf8") });
    } else {
      const content = blob.toString("latin1", 0, Math.min(blob.length, consideredMax));
      findings.set(file.path, linguist.examine(file.path, content));
    }
  });
  return { findings, attributes };
}

function isAttributes({ path }: TreeFile): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}
