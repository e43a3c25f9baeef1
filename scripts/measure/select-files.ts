import type { FileSelection } from "../../src/knowledge/measure-knowledge.ts";
import { selectPaths } from "../../src/knowledge/select-files.ts";
import type { KnownRepository, Pool } from "../../src/pool/pool.ts";

/** @returns the files at a path, as `measureKnowledge` takes them; undefined where there are none. */
export async function selectFiles(
  pool: Pool,
  { id }: KnownRepository,
  path: string,
): Promise<FileSelection | undefined> {
  const head = await pool.authorship.head(id);
  if (!head) return undefined;
  const read = (from: number, to: number) => pool.authorship.blocks(id, from, to);
  const { files } = await selectPaths(head, [path], read);
  return files.length === 0 ? undefined : { repository: id, head, files };
}
