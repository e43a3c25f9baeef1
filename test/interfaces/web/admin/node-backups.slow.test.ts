/** A node has its accounts and people in PostgreSQL: the overview says what a backup is there, and makes none. */
import { expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { hasPostgres, newDatabase } from "../../../postgres/database.ts";
import { invited, readable } from "../person.ts";

test.skipIf(!hasPostgres)(
  "the database's own tools back up a node, and nothing is made or sent here",
  async () => {
    const node = await openTestAppliance({
      folder: true,
      config: {
        publicUrl: "http://127.0.0.1:7171",
        database: { url: await newDatabase(), connections: 4 },
      },
    });
    const admin = await invited(node, "boss@example.com", { administrator: true });
    const text = readable((await admin.open("/admin")).text);
    expect(text).toMatch(/Accounts and people are in \S+ at \S+, which all nodes share\./);
    expect(text).toContain("Roster makes no backup of it");
    expect(text).not.toContain("none was ever made");
    for (const act of ["back-up", "download-backup"]) {
      const refused = await admin.send("/admin", act, act === "back-up" ? {} : { archive: "x" });
      expect(refused.status).toBe(400);
    }
    await node.close();
  },
);
