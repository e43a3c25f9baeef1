/** Reads bundles: files that contain a history and its refs. */
import { resolve } from "node:path";
import { deriveOriginFromPath } from "../../origin.ts";
import type { Git } from "../git-command.ts";
import type { ClonePath } from "./find-repositories.ts";
import { findObject } from "./objects.ts";
import { RepositoryFault } from "./refusal.ts";
import { createRepository, type FoundRepository, notesRef } from "./view.ts";

const makeAgain = "Make it with `git bundle create FILE --all`, in a clone that has its branches.";

/** Unpacks a bundle. @throws Fault when the bundle is incomplete or damaged. */
export async function openBundle(git: Git, location: ClonePath): Promise<FoundRepository> {
  const { directory, close } = createRepository(await readObjectFormat(location.directory));
  try {
    const { head: tip, notes } = await readBundleTips(git, location.directory);
    // Naming one ref keeps the output short; git unpacks all objects anyway.
    await git.read(directory, ["bundle", "unbundle", resolve(location.directory), "HEAD"]);
    if (!tip)
      throw new RepositoryFault("empty bundle: it holds no branch with a commit.", makeAgain);
    const head = await findObject(git, directory, `${tip}^{commit}`);
    if (!head)
      throw new RepositoryFault("damaged bundle: the commit that it names is missing.", makeAgain);
    const mailmap = (await findObject(git, directory, `${head}:.mailmap`)) ?? "";
    return {
      path: location.path,
      directory,
      head,
      mailmap,
      notes,
      origin: deriveOriginFromPath(location.directory),
      cuts: new Map(),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Finds HEAD and the notes in a bundle without unpacking it. Without a HEAD, uses the main or only branch.
 * @returns commits. `notes` is empty if the bundle has no notes.
 */
export async function readBundleTips(git: Git, file: string) {
  const output = (await git.read("/", ["bundle", "list-heads", resolve(file)])).toString();
  const refs = new Map(
    output.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(end + 1), line.slice(0, end)];
    }),
  );
  const usual = ["HEAD", "refs/heads/main", "refs/heads/master"].find((name) => refs.has(name));
  const [only = "", ...others] = refs.keys().filter((name) => name.startsWith("refs/heads/"));
  const head = refs.get(usual ?? (others.length === 0 ? only : ""));
  return { head, notes: refs.get(notesRef) ?? "" };
}

/** Reads the hash algorithm of object ids from the first lines of a bundle. */
async function readObjectFormat(file: string): Promise<string> {
  const [, ...lines] = (await Bun.file(file).slice(0, 4096).text()).split("\n");
  return lines.includes("@object-format=sha256") ? "sha256" : "sha1";
}
