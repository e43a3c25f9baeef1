/** Owners of repositories that are forgotten: by every identifier that an ownership file may name them by. */
import { afterEach, expect, test } from "bun:test";
import type { KnownOwner } from "../../src/contract/people/ownership-rule.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { person } from "./person.ts";
import type { OpenPool } from "./pool-contract.ts";

/** What every adapter of `Pool` must do for owners who are forgotten. */
export function describeErasedOwners(openAt: OpenPool): void {
  const opened: Pool[] = [];
  afterEach(async () => {
    for (const pool of opened.splice(0)) await pool.close();
  });

  const key = "github.com\nexample/shop";
  const ada = {
    login: "Ada-Example",
    emails: ["ada@example.com", "7+ada-home@users.noreply.github.com"],
    formerLogins: ["ada-before"],
  };

  async function openShop(): Promise<Pool> {
    const pool = await openAt(":memory:", { now: () => new Date("2026-11-21T12:00:00Z") });
    opened.push(pool);
    const load = await pool.beginImport("test");
    await load.put([person(ada), person({ login: "ben" })]);
    await load.commit();
    const none = { commit: new Uint32Array(), author: new Uint32Array(), kind: new Uint8Array() };
    await pool.authorship.replace({
      ...{ key, name: "example/shop", forge: "github.com", fingerprint: "1" },
      ...{ commits: 0, files: 0, lastDay: 0, blocks: [], packages: [] },
      columns: {
        ...{ day: new Uint16Array(), author: new Uint32Array(), others: none },
        ...{ files: new Uint16Array(), flags: new Uint8Array() },
      },
    });
    return pool;
  }

  const state = (pool: Pool, owners: readonly KnownOwner[]) =>
    pool.authorship.stateOwnership(key, {
      rules: [{ form: "github", file: "CODEOWNERS", line: 1, pattern: "*", owners }],
      accountless: [],
    });

  async function ownersIn(pool: Pool): Promise<readonly KnownOwner[] | undefined> {
    const [repository] = await pool.authorship.repositories();
    return (await pool.authorship.ownership(repository?.id ?? 0))?.rules[0]?.owners;
  }

  const others: readonly KnownOwner[] = [
    { login: "ben", person: "ben" },
    { login: "stranger" },
    { team: "ada-example/team" },
  ];

  for (const owner of [
    { login: "somebody", person: "ada-example" },
    { login: "ADA-example" },
    { login: "ada-home" },
    { login: "Ada-Before" },
    { email: "Ada@example.com" },
  ] satisfies readonly KnownOwner[]) {
    test(`${JSON.stringify(owner)} goes with the person, and does not come back`, async () => {
      const pool = await openShop();
      await state(pool, [owner, ...others]);
      expect(await ownersIn(pool)).toEqual([owner, ...others]);
      await pool.erasing.hide("ada-example");
      expect(await ownersIn(pool)).toEqual(others);
      // An ingest that read the rules before.
      await state(pool, [owner, ...others]);
      expect(await ownersIn(pool)).toEqual(others);
    });
  }

  test("rules go when no file states any, and with their repository", async () => {
    const pool = await openShop();
    await state(pool, others);
    await pool.authorship.stateOwnership(key, { rules: [], accountless: [] });
    expect(await ownersIn(pool)).toBeUndefined();
    await state(pool, [...others, { login: "gone", person: "gone" }]);
    expect(await ownersIn(pool)).toEqual(others);
    const [repository] = await pool.authorship.repositories();
    await pool.authorship.keepOnly(new Set());
    expect(await pool.authorship.ownership(repository?.id ?? 0)).toBeUndefined();
  });
}
