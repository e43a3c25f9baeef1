/** The real S3 server that tests run against, with a bucket of its own in a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findStorage, type Storage, startStorage } from "../../scripts/storing/versitygw.ts";

const binary = findStorage();
/** `scripts/storage build` makes it. */
export const hasStorage = binary !== undefined;
if (!hasStorage)
  process.stderr.write("Skips: needs a real S3 server, as scripts/storage build makes it\n");

export interface TestStorage extends Storage {
  readonly bucket: string;
  /** The folder of the bucket: each object is a file in it. */
  readonly objects: string;
}

/** Call `stop` at the end: it removes what is stored too. */
export async function openStorage(): Promise<TestStorage> {
  if (binary === undefined) throw new Error("There is no S3 server: scripts/storage build.");
  const parent = mkdtempSync(join(tmpdir(), "roster-storage-"));
  const bucket = "backups";
  const storage = await startStorage(binary, { folder: join(parent, "objects"), bucket });
  return {
    ...{ ...storage, bucket, objects: join(storage.folder, bucket) },
    async stop() {
      await storage.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
