/** What is wrong with a data folder: looked for beside a running server, and by an operator at any time. */
import type { ExaminedFolder } from "./examine-databases.ts";
import type { Finding } from "./finding.ts";

export { watchForDamage } from "./background-checks.ts";
export { comparePool } from "./compare-pool.ts";
export { describeDamage, getDamageKey } from "./describe-damage.ts";
export type { Finding, Remedy } from "./finding.ts";
export { type Rebuildable, rebuild, rebuildable, runLocked } from "./rebuild.ts";

/** Checks everything in a data folder, or of a node and the database it shares, and writes nothing there. */
export async function examineEverything(examined: ExaminedFolder): Promise<readonly Finding[]> {
  if (examined.databaseUrl !== undefined) {
    const { examineNode } = await import("./examine-node.ts");
    return examineNode(examined, examined.databaseUrl);
  }
  // A server looks for damage too, and needs none of this.
  const [{ examineFolder }, { examineDatabases }] = await Promise.all([
    import("./examine-folder.ts"),
    import("./examine-databases.ts"),
  ]);
  const ofFolder = examineFolder(examined.folder);
  if (!ofFolder) {
    const text = `${examined.folder} is not there, or is no folder`;
    return [{ level: "fault", about: "folder", text, remedy: "restore" }];
  }
  return [...ofFolder, ...(await examineDatabases(examined))];
}
