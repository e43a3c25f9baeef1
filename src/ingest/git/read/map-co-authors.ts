import { splitBatches } from "../../split-batches.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import { findReplacedName } from "../commit/replaced-names.ts";
import { parseSignatures } from "../credit/signatures.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";

/** Applies the repository's mailmap to trailers (`Name <address>`). @returns people by trailer. */
export async function mapCoAuthors(
  git: Git,
  { directory }: { readonly directory: string },
  trailers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SignedName>> {
  const mapped = new Map<string, SignedName>();
  for (const some of splitBatches([...trailers], trailersAtOnce)) {
    const command = ["check-mailmap", "--stdin"];
    const output = decodeGitText(await git.read(directory, command, composeInput(some)));
    for (const [at, line] of output.split("\n").entries()) {
      const trailer = some[at];
      const [written] = parseSignatures(trailer ?? "");
      if (trailer === undefined || !written) continue;
      const { name, email } = parseSignatures(line)[0] ?? written;
      mapped.set(trailer, {
        ...{ name: name || written.name, email, rawEmail: written.email },
        ...(name && findReplacedName(name, written.name, written.email)),
      });
    }
  }
  return mapped;
}

const trailersAtOnce = 10_000;
