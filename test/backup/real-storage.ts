/** The real S3 server that tests run against, with a bucket of its own in a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findStorage, type Storage, startStorage } from "../../scripts/storing/storage-server.ts";

const program = findStorage();
/** `scripts/test` installs one, `scripts/storage build` makes another. */
export const hasStorage = program !== undefined;
if (!hasStorage)
  process.stderr.write("Skips: needs an S3 server, as scripts/test or scripts/storage have it\n");

export interface TestStorage extends Storage {
  readonly bucket: string;
  /** The folder of the bucket: each object is a file in it. */
  readonly objects: string;
}

/** Call `stop` at the end: it removes what is stored too. */
export async function openStorage(): Promise<TestStorage> {
  if (program === undefined) throw new Error("There is no S3 server: scripts/storage build.");
  const parent = mkdtempSync(join(tmpdir(), "roster-storage-"));
  const bucket = "backups";
  const storage = await startStorage(program, { folder: join(parent, "objects"), bucket });
  return {
    ...{ ...storage, bucket, objects: join(storage.folder, bucket) },
    async stop() {
      await storage.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
