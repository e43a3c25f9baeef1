/** The names of a person in facts of git: the most complete one is shown, and people are found by each. */
import { expect, test } from "bun:test";
import { inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

function storeNames(names: Readonly<Record<string, number>>) {
  const opened = openData();
  const change = { subject: "Add it", paths: ["a.go"] };
  const commits = Object.entries(names).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, at) =>
      inventCommit({ ...change, author: `${name} <ada@corp.example>`, day: 20_700 + at }, name),
    ),
  );
  storeHistory(opened.ledger, { name: "tool", owner: "corp", commits });
  return opened;
}

test("the most complete name is the person's, and the others are known", async () => {
  const { ingest, person } = storeNames({
    aexample: 9,
    "A. Example": 6,
    "Ada Example": 4,
    root: 3,
  });
  await ingest([]);
  const facts = await person("Ada Example");
  expect(facts?.profile.name).toBe("Ada Example");
  expect(facts?.otherNames).toEqual(["aexample", "A. Example"]);
});

test("one name in several ways of writing is one", async () => {
  const { ingest, person } = storeNames({ "Ada Example": 9, "ada example": 6, "ADA EXAMPLE": 4 });
  await ingest([]);
  expect(await person("Ada Example")).not.toHaveProperty("otherNames");
});
