import type { Config } from "../config/config.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";
import { loadFirstPeople } from "./first-start.ts";

const readOnlyNote =
  "the folder is served read-only: calls are counted in memory, and lost at the end; accounts and keys are as they were in it";

/** The changes that a start makes in the folder before it loads the index; none in a folder that is only read. */
async function changeFolder(
  folder: DataFolder,
  config: Config,
  dependencies: Dependencies,
): Promise<void> {
  const { log } = dependencies;
  if (folder.isReadOnly) {
    log.warn({ folder: config.data }, readOnlyNote);
    return;
  }
  const unfinished = await folder.erasure.finish();
  if (unfinished)
    log.error({ fault: unfinished }, "an erasure is unfinished; it is tried again each minute");
  await loadFirstPeople(folder, config, dependencies);
}

/** Does all the work of a start on the databases; it can be repeated. @throws after closing the folder. */
export async function prepareFolder(
  folder: DataFolder,
  config: Config,
  dependencies: Dependencies,
): Promise<DataFolder> {
  try {
    await changeFolder(folder, config, dependencies);
    await folder.modules.search.start();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}
