/** The Gitea that these tests run against: a fresh one for each file, seeded with the invented people. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitea } from "../../../../scripts/forges/gitea-build.ts";
import { seedGitea } from "../../../../scripts/forges/gitea-people.ts";
import { type Gitea, startGitea } from "../../../../scripts/forges/gitea-server.ts";

export interface SeededGitea extends Gitea {
  /** Of `dora`, who is no administrator, with the least rights. */
  readonly ordinaryToken: string;
  readonly folder: string;
}

const binary = process.env["TEST_FORGE"] ? findGitea() : undefined;
/** `scripts/test --forge` and `scripts/forge test` build it and ask for it. */
export const hasGitea = binary !== undefined;
if (!hasGitea) process.stderr.write("Skips: needs a real Gitea, as scripts/test --forge has it\n");

export async function openGitea(): Promise<SeededGitea> {
  if (binary === undefined) throw new Error("There is no Gitea: scripts/forge build makes one.");
  const folder = mkdtempSync(join(tmpdir(), "roster-gitea-"));
  const gitea = await startGitea(binary, folder);
  const { token } = await seedGitea(gitea).catch(async (error: unknown) => {
    await gitea.stop();
    throw error;
  });
  return {
    ...gitea,
    ordinaryToken: token,
    folder,
    async stop() {
      await gitea.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
