/** Finds problems of a data folder. */
import type { ExaminedFolder } from "./examine-databases.ts";
import type { Finding } from "./finding.ts";

export { watchForDamage } from "./background-checks.ts";
export { comparePool } from "./compare-pool.ts";
export { describeDamage, getDamageKey } from "./describe-damage.ts";
export { examineBackup } from "./examine-backup.ts";
export type { Finding, Remedy } from "./finding.ts";
export { type Rebuildable, rebuild, rebuildable, runLocked } from "./rebuild.ts";

/** Checks a data folder, or a node and its shared database. Writes nothing. */
export async function examineEverything(examined: ExaminedFolder): Promise<readonly Finding[]> {
  if (examined.databaseUrl !== undefined) {
    const { examineNode } = await import("./examine-node.ts");
    return examineNode(examined, examined.databaseUrl);
  }
  // These modules are loaded here, because a running server does not need them.
  const [{ examineFolder }, { examineDatabases }] = await Promise.all([
    import("./examine-folder.ts"),
    import("./examine-databases.ts"),
  ]);
  const ofFolder = examineFolder(examined.folder);
  if (!ofFolder) {
    const text = `${examined.folder} does not exist, or is not a folder`;
    return [{ level: "fault", about: "folder", text, remedy: "restore" }];
  }
  return [...ofFolder, ...(await examineDatabases(examined))];
}
