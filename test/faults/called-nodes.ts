/** Nodes on one database, each the program in a process of its own, and callers at all of them. */
import { join } from "node:path";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createCallers, startCallers } from "./callers.ts";
import { freePort, program, startServer } from "./server-process.ts";

/** @param folder has a folder for each of the two nodes. */
export async function startCalledNodes(folder: string, url: string) {
  const control = await openPostgresControlStore({ url, connectionsMax: 2 });
  const keys = await createCallers(control);
  const under = ["env", `ROSTER_DATABASE_URL=${url}`];
  const ports = [await freePort(), await freePort()];
  const startNode = (place: number) =>
    startServer(join(folder, `node${place}`), ports[place] as number, under, [], program);
  const nodes = await Promise.all([startNode(0), startNode(1)]);
  const callers = startCallers(
    nodes.map(({ address }) => address),
    keys,
  );
  return {
    ...callers,
    nodes,
    /** Starts a node that was killed again, at the same address. */
    restartNode: async (place: number) => {
      nodes[place] = await startNode(place);
    },
    /** @returns what is not as the callers were told; empty when all is. */
    stop: async (): Promise<readonly string[]> => {
      const violations = await callers.stop(control);
      await Promise.all(nodes.map((node) => node.kill()));
      await control.close();
      return violations;
    },
  };
}
