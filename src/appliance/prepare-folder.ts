import type { Config } from "../config/config.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";
import { loadFirstPeople } from "./first-start.ts";

/** The changes that a start makes in the folder before it loads the index. */
async function changeFolder(
  folder: DataFolder,
  config: Config,
  dependencies: Dependencies,
): Promise<void> {
  const { log } = dependencies;
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
