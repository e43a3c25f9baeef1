import { describe, expect, test } from "bun:test";
import { parseNote } from "../../../../src/ingest/git/notes/parse-note.ts";
import { composeNote, human, session, trace } from "./invented-notes.ts";

const base = "7734793b756b3921c88db5375a8c156e9532447b";
const read = (text: string) => {
  const note = parseNote(text);
  return note && { files: Object.fromEntries(note.files), agents: Object.fromEntries(note.agents) };
};

test("sessions, prompts of both lengths and people have their lines, each line once", () => {
  const text = composeNote({
    base,
    files: {
      "src/main.rs": {
        [`${session}::${trace}`]: "1-10,15-20",
        [`${session}::t_a1b2c3d4e5f678`]: "20,25-30",
        [human]: "35-40",
      },
      "src/my file.rs": { abcd1234abcd1234: "1-4,9", abcd123: "4-6", human: "7" },
    },
    sessions: { [session]: "cursor" },
    prompts: { abcd1234abcd1234: "claude", abcd123: "claude" },
  });
  expect(read(text)).toEqual({
    files: { "src/main.rs": 28, "src/my file.rs": 8 },
    agents: { cursor: 22, claude: 7 },
  });
  expect(parseNote(text)?.base).toBe(base);
});

test("a note without attestations, or with people alone, has no agents", () => {
  expect(read(composeNote({ base, sessions: { [session]: "claude" } }))).toEqual({
    files: {},
    agents: {},
  });
  expect(read(composeNote({ base, files: { a: { [human]: "1-3" } } }))).toEqual({
    files: { a: 3 },
    agents: {},
  });
});

test("a session that the note does not describe is an agent without a name", () => {
  for (const key of [`${session}::${trace}`, "ai_agent", "__proto__", "constructor"]) {
    expect(read(composeNote({ base, files: { a: { [key]: "2" } } }))?.agents).toEqual({ "": 1 });
  }
});

describe("other texts are no notes", () => {
  const whole = composeNote({ base, files: { a: { [human]: "1-3" } } });
  const [attested = "", metadata = ""] = whole.split("\n---\n");
  test.each([
    ["nothing", ""],
    ["no divider", `${attested}\n${metadata}`],
    ["no JSON", `${attested}\n---\n{"schema_version":`],
    ["another JSON", "---\n[]"],
    ["another schema", whole.replace("authorship/3.0.0", "authorship/2.0.0")],
    ["no base", whole.replace(base, "HEAD")],
    ["no prompts", whole.replace('"prompts"', '"promises"')],
    ["lines of no file", `  ${human} 1-3\n---\n${metadata}`],
    ["line 0", whole.replace("1-3", "0-3")],
    ["lines backwards", whole.replace("1-3", "3-1")],
    ["lines in words", whole.replace("1-3", "1 to 3")],
    ["more lines than a number has", whole.replace("1-3", "1-99999999999999999999")],
    ["JSON of great depth", `${attested}\n---\n${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ])("%s", (_, text) => {
    expect(parseNote(whole)).toBeDefined();
    expect(parseNote(text)).toBeUndefined();
  });
});
