/** A run that forgets the only clone of a repository may erase somebody who worked in it. */
import { expect, test } from "bun:test";
import { listAuthorIdentities } from "../../../src/ingest/ingest.ts";
import { findPlace, inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

test("somebody is erased in the run that forgets a repository of theirs", async () => {
  const { ledger, pool, ingest, person } = openData();
  const authors = ["Ada Example <ada@corp.example>", "Ben Sample <ben@corp.example>"];
  for (const name of ["kept", "left"]) {
    const commits = authors.map((author, at) =>
      inventCommit({ author, day: 20_700 + at, subject: "Add it", paths: ["a.go"] }, name),
    );
    storeHistory(ledger, { name, owner: "corp", commits });
  }
  await ingest([]);
  const { login = "" } = (await person("Ada Example")) ?? {};
  const files = { aliasFile: undefined, classFile: undefined, names: "repository" as const };
  const known = await listAuthorIdentities({ pool, ledger, forges: undefined, files }, [login]);
  await pool.erasing.hide(login, {
    alsoLogins: [],
    alsoAddresses: known.flatMap(({ ownAddresses }) => ownAddresses),
    alsoAuthors: [],
  });
  const place = findPlace(ledger, "/invented/corp/left");
  await ingest([], { forgetting: place ? [place.id] : [], canRemoveMany: true });
  expect(await person("Ada Example")).toBeUndefined();
  expect((await person("Ben Sample"))?.repositories.map(({ name }) => name)).toEqual(["corp/kept"]);
});
