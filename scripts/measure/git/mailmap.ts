import { normaliseAddress } from "../../../src/identity/address.ts";
import { foldName } from "../../../src/identity/selector.ts";
import { decodeGitText } from "../../../src/ingest/git/git-command.ts";
import { askGit } from "./ask-git.ts";

/** One spelling of an author in commits, and what the mailmap maps it to. */
export interface MappedSpelling {
  readonly name: string;
  readonly email: string;
  /** The mapped name, in a form that is compared without regard to case. */
  readonly properName: string;
  readonly properEmail: string;
  /** Whether the mailmap mentions it. */
  readonly isListed: boolean;
}

/** @returns undefined if the newest tree of the repository has no mailmap. */
export function readMailmap(path: string): readonly MappedSpelling[] | undefined {
  if (askGit(path, ["ls-tree", "HEAD", ".mailmap"]).length === 0) return undefined;
  const spoken = addressesSpokenOf(decodeGitText(askGit(path, ["show", "HEAD:.mailmap"])));
  const log = askGit(path, [
    ...["-c", "mailmap.file=", "-c", "mailmap.blob=HEAD:.mailmap"],
    ...["log", "-z", "--no-merges", "--format=%an%x01%ae%x01%aN%x01%aE", "HEAD"],
  ]);
  const found = new Map<string, MappedSpelling>();
  // A name may be in another encoding than the rest, so each field is decoded by itself, as ingest does.
  for (const line of log.toString("latin1").split("\0").filter(Boolean)) {
    const [name = "", rawEmail = "", mappedName = "", mappedEmail = ""] = line
      .split("\x01")
      .map((field) => decodeGitText(Buffer.from(field, "latin1")));
    const email = normaliseAddress(rawEmail);
    const [properName, properEmail] = [foldName(mappedName), normaliseAddress(mappedEmail)];
    const isChanged = name !== mappedName || rawEmail !== mappedEmail;
    const isListed = isChanged || spoken.has(email);
    found.set(`${name.trim()}\0${email}`, {
      name: name.trim(),
      email,
      properName,
      properEmail,
      isListed,
    });
  }
  return [...found.values()];
}

/**
 * @returns the addresses that the file maps whatever name stands before them. An address that it maps for one name only
 * may belong to other people, too, about whom the file says nothing.
 */
function addressesSpokenOf(mailmap: string): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const line of mailmap.split("\n")) {
    const [, , proper, commitName, commit] =
      /^([^<#]*)<([^>]*)>(?:([^<#]*)<([^>]*)>)?/.exec(line) ?? [];
    if (proper !== undefined) spoken.add(normaliseAddress(proper));
    if (commit !== undefined && commitName?.trim() === "") spoken.add(normaliseAddress(commit));
  }
  return spoken;
}
