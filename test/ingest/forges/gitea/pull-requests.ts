/** Pull requests on a real Gitea, as people make them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../git/invented-repository.ts";
import type { SeededGitea } from "./real-gitea.ts";

interface PushedChange {
  /** As `acme/ledger`. */
  readonly to: string;
  readonly branch: string;
  /** `Name <address>`. */
  readonly author: string;
  /** Contents by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Who pushes; by default the administrator. */
  readonly as?: { readonly login: string; readonly token: string } | undefined;
}

/** Commits to a branch, which is made from the default branch by the first, and pushes it. */
export function pushChange(gitea: SeededGitea, change: PushedChange): void {
  const { to, branch, author, files, as = { login: "root1", token: gitea.token } } = change;
  const folder = join(gitea.folder, `work-${branch}`);
  const remote = `${gitea.url.replace("://", `://${as.login}:${as.token}@`)}/${to}.git`;
  if (!existsSync(folder)) {
    run(gitea.folder, ["clone", "--quiet", remote, folder]);
    run(folder, ["switch", "--quiet", "-c", branch]);
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [, name = "", email = ""] = /^(.*) <(.*)>$/.exec(author) ?? [];
  run(folder, ["add", "--all"]);
  const who = ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
  run(folder, [...who, "commit", "--quiet", "--message", "A change"]);
  run(folder, ["push", "--quiet", "origin", branch]);
}

/** @param repository as `/repos/acme/ledger`. @param pull its head as `branch` or `fork-owner:branch`. @returns its number. */
export async function openPullRequest(
  gitea: SeededGitea,
  repository: string,
  { head, login }: { readonly head: string; readonly login: string },
): Promise<number> {
  const pull = { title: "A change", head, base: "main" };
  const made = await gitea.call<{ number: number }>("POST", `${repository}/pulls`, pull, { login });
  return made.number;
}
