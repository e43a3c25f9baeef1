/** What an operator is told of notes of git-ai: by the run that reads them, where repositories are listed, and of a person. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { deriveLogin } from "../../../../src/identity/derived-login.ts";
import { inventRepository, run } from "../../../ingest/git/invented-repository.ts";
import {
  addNote,
  composeAgentNote,
  composeNote,
  listCommits,
  removeNotes,
} from "../../../ingest/git/notes/invented-notes.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
afterAll(() => line.close());
const data = ["--data", line.folder];

const path = inventRepository(
  join(line.folder, "..", "parts.git"),
  Array.from({ length: 8 }, (_, at) => ({
    ...{ at: 1_760_000_000 + at * 86_400, message: `Add the part ${at}` },
    files: { [`part-${at}.js`]: "line();\n".repeat(10) },
  })),
);
const commits = listCommits(path);
const [first = "", second = "", third = "", fourth = "", fifth = "", sixth = "", seventh = ""] =
  commits;
addNote(path, first, composeAgentNote(first, "part-0.js", "1-7"));
addNote(path, second, composeAgentNote(second, "part-1.js", "1-5"));
addNote(path, third, composeNote({ base: third }));
// A forged note, one with more lines than there are, a malformed and a huge one, and one on a commit that is gone.
addNote(path, fourth, composeAgentNote(fifth, "part-3.js", "1-7"));
addNote(path, fifth, composeAgentNote(fifth, "part-4.js", "1-11"));
addNote(path, sixth, "Written by hand.");
addNote(path, seventh, `${composeAgentNote(seventh, "part-6.js", "1")}${" ".repeat(9_000_000)}`);
addNote(path, commits[7] ?? "", composeAgentNote(commits[7] ?? "", "part-7.js", "1"));
run(path, ["update-ref", "refs/heads/main", seventh]);

test("the run that reads them says in words what they state and which are not believed", async () => {
  const { code, err } = await line.run("ingest", "git", path, ...data);
  expect(code).toBe(0);
  expect(err).toContain(
    `notes of ${path}: stated, not proved: agents wrote 12 lines of 2 commits, and none of 1; ` +
      "not believed: 2 that their commit contradicts, 1 malformed, 1 too large; " +
      "without effect: 1 on commits that are not in the history",
  );
});

test("the list of repositories has the believed of all", async () => {
  const { out } = await line.run("ingest", "list", ...data);
  expect(out).toContain("3 of 8");
  expect(await line.json("ingest", "list", ...data)).toMatchObject([
    { notes: { assisted: 2, unassisted: 1, lines: { claude: 12 }, absent: 1, contradicted: 2 } },
  ]);
});

test("an explanation tells it as stated and not proved, and leaves it out of what is unknown", async () => {
  const login = deriveLogin({ name: "Ada Example", email: "ada@example.com" });
  const { out } = await line.run("explain", login, ...data);
  expect(out).toContain("2 of 7 counted commits say that an assistant took part (Claude 2).");
  expect(out).toContain("1 of 7 counted commits have a note by which no assistant wrote a line.");
  expect(out).toContain("Commits and their notes state this; it is not proved.");
  expect(out).toContain("Of 4 commits without a mark or note, up to 3 may be assisted");
});

test("without the notes, all of it is gone", async () => {
  removeNotes(path);
  const { err } = await line.run("ingest", "git", path, ...data);
  expect(err).not.toContain("notes of");
  expect(err).toContain("1 replaced");
  const [listed] = (await line.json("ingest", "list", ...data)) as readonly object[];
  expect(listed).not.toHaveProperty("notes");
});
