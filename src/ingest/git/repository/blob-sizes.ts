import type { Git } from "../git-command.ts";

/** @returns bytes by name; git knows them without reading the contents, of which some may be gigantic. */
export async function readBlobSizes(
  git: Git,
  directory: string,
  shas: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const lines = [...shas].map((sha) => `${sha}\n`).join("");
  if (!lines) return new Map();
  const asked = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const answer = (await git.read(directory, asked, lines)).toString("latin1");
  return new Map(
    answer.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}
