/** The login of a person whom a list or forge relayed. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeFolder } from "../../temporary-folder.ts";
import { inventRepository } from "./invented-repository.ts";
import { read } from "./read.ts";

const folder = makeFolder("relayed");

test("is derived from an own address, whatever was relayed more often", async () => {
  const relayed = { author: "Dora Fennimore via Forge <noreply@forge.example.com>" };
  const own = { author: "Dora Fennimore <dora@fennimore.example.org>" };
  const path = inventRepository(join(folder, "app.git"), [relayed, relayed, relayed, own]);
  const { people } = await read([path]);
  expect(people.map(({ login }) => login)).toEqual([expect.stringMatching(/^dora-[0-9a-f]{6}$/)]);
  expect(people[0]?.formerLogins?.[0]).toStartWith("dora-fennimore-via-forge-");
});
