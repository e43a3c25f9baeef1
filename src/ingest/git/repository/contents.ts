/** Looks into the files of the newest tree, where their content tells more of their language than the path. */

import type { AttributesFile } from "../../linguist/attributes.ts";
import type { ContentFinding } from "../../linguist/content.ts";
import type { Linguist, TreeContents } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile } from "./objects.ts";

/** Of one repository, in files and bytes; what lies beyond is judged by its path. */
const filesMax = 30_000;
const bytesMax = 256 * 1024 * 1024;
/** Of one file. Linguist looks into none that is larger. */
const fileBytesMax = 1024 * 1024;
/** Of one file, from its beginning, as in Linguist. */
const consideredMax = 128 * 1024;

/** One `git cat-file --batch`; files are looked at one after the other and not kept. */
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
  const alike = rememberAlike();
  await readBlobs(git, directory, { files: wanted, bytesMax: fileBytesMax }, (file, blob) => {
    if (isAttributes(file)) attributes.push({ path: file.path, text: blob.toString("utf8") });
    else {
      const content = blob.toString("latin1", 0, Math.min(blob.length, consideredMax));
      findings.set(file.path, alike(linguist.examine(file.path, content)));
    }
  });
  return { findings, attributes };
}

function isAttributes({ path }: TreeFile): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}

/** Thousands of files give few different findings. */
function rememberAlike(): (finding: ContentFinding) => ContentFinding {
  const held = new Map<string, ContentFinding>();
  return (finding) => {
    const key = `${finding.generated}\0${finding.candidates.join("\0")}`;
    const before = held.get(key);
    if (before) return before;
    held.set(key, finding);
    return finding;
  };
}
