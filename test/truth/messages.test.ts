import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { correlation, truthOfMessages } from "../../scripts/measure/truth/messages.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("truth");

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

const plain = { project: "one", label: "no_why", message: "Change the parser of lines" };
const good = { project: "one", label: "why_and_what", message: "Drop it since it grows for ever" };

test("messages that the rule tells apart give a correlation of 1 and no share error", async () => {
  const { rows } = await truthOfMessages(
    file(
      "apart.jsonl",
      Array.from({ length: 20 }, (_, at) => (Math.floor(at / 5) % 2 ? plain : good)),
    ),
  );
  expect(rows).toEqual([
    { name: "messages.mcc", value: 1, bar: 0.3, sense: "least", met: true },
    { name: "messages.mcc.shipped", value: 1, bar: 0.3, sense: "least", met: true },
    { name: "messages.share-error.one", value: 0, bar: 0.15, sense: "most", met: true },
  ]);
});

test("each project has a share error of its own, and what is wrong is listed", async () => {
  const { rows, misses } = await truthOfMessages(
    file("two.jsonl", [
      plain,
      good,
      { ...plain, project: "two" },
      { ...plain, project: "two", label: "why_and_what" },
    ]),
  );
  expect(rows.find(({ name }) => name === "messages.share-error.two")).toEqual({
    name: "messages.share-error.two",
    value: 0.5,
    bar: 0.15,
    sense: "most",
    met: false,
  });
  expect(misses).toEqual([`two, labelled good: ${JSON.stringify(plain.message)}`]);
});

test("a file of another form is refused with its line", async () => {
  const reason = await truthOfMessages(file("bad.jsonl", [plain, { project: "one" }])).catch(
    String,
  );
  expect(reason).toContain("bad.jsonl:2");
  expect(await truthOfMessages(join(folder, "none")).catch(String)).toContain("no such file");
});

test("correlation is Matthews', and 0 where one side never changes", () => {
  expect(correlation([true, true, false, false], [true, false, true, false])).toBe(0);
  expect(correlation([true, true], [true, false])).toBe(0);
  expect(correlation([true, false], [false, true])).toBe(-1);
});
