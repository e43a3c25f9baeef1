/** Who is no human, by list, name and behaviour; and who is one in spite of a word in the name. */
import { describe, expect, test } from "bun:test";
import {
  classifyByBehaviour,
  classifyByName,
  classifyNamesakes,
  findBotClue,
  humanClass,
} from "../../../../src/ingest/git/identity/author-class.ts";

const byName = (name: string, email: string) => classifyByName({ name, emails: [email] }).class;

describe("nobody", () => {
  test("is who is called so, and who is a group", () => {
    for (const [name, email] of [
      ["anonymous", "anonymous@example.com"],
      ["root", "root@build.example.com"],
      ["root", "somebody@example.com"],
      ["Translator", "translator@example.com"],
      ["Example Core Team", "core@example.com"],
      ["Example Translation Team", "ada@example.com"],
      ["The Example Developers", "12+example@users.noreply.github.com"],
      ["ubuntu", "ubuntu@ip-10-0-0-1.internal"],
      ["", "none@none"],
    ] as const) {
      expect([name, byName(name, email)]).toEqual([name, "nobody"]);
    }
  });

  test("is no one with an account, an own address under a machine's name, or a family name", () => {
    expect(byName("root", "12+ada@users.noreply.github.com")).toBe("human");
    expect(byName("admin", "ada@example.com")).toBe("human");
    expect(byName("Ada Root", "ada@example.com")).toBe("human");
    expect(byName("", "ada@example.com")).toBe("human");
  });

  test("says why", () => {
    const { reason } = classifyByName({ name: "Example Core Team", emails: ["x@example.com"] });
    expect(reason).toBe('"Example Core Team" is the name of a group.');
  });
});

describe("a bot by behaviour", () => {
  const by = (name: string, email: string, [commits, templates, routine]: readonly number[]) =>
    classifyByBehaviour(
      { name, emails: [email] },
      { commits: commits ?? 0, templates: templates ?? 0, routine: routine ?? 0 },
    ).class;
  const monotone = [50, 2, 0] as const;

  test("has a word of a bot in its name, glued at the end of a handle too", () => {
    expect(by("exemplarbot", "x@example.com", monotone)).toBe("bot");
    expect(by("Exemplar", "exemplarbot@example.com", monotone)).toBe("bot");
    expect(by("exemplar-ci", "x@example.com", monotone)).toBe("bot");
    expect(by("exemplar-build", "x@example.com", monotone)).toBe("bot");
    expect(by("exemplarbot", "x@example.com", [50, 30, 0])).toBe("human");
    expect(by("exemplarbot", "x@example.com", [4, 1, 0])).toBe("human");
  });

  test("is no human of such a family name, nor one whose messages a tool writes", () => {
    expect(by("Ada Talbot", "ada.talbot@example.com", monotone)).toBe("human");
    expect(by("Ada Exemplar", "admin@example.com", monotone)).toBe("human");
    expect(by("build", "ada@example.com", [10, 1, 0])).toBe("human");
    expect(by("build", "ada@example.com", [10, 10, 10])).toBe("bot");
    expect(findBotClue({ name: "Ada", emails: ["admin@example.com"] })).toBeUndefined();
  });

  test("is it under every address that has its whole name", () => {
    const bot = { class: "bot", reason: "it says so" } as const;
    const authors = [
      { name: "exemplarbot", classified: bot },
      { name: "ExemplarBot", classified: humanClass },
      { name: "Ada Exemplar", classified: humanClass },
      { name: "exemplarbot", classified: { ...humanClass, isSettled: true as const } },
    ];
    classifyNamesakes(authors);
    expect(authors.map(({ classified }) => classified.class)).toEqual([
      "bot",
      "bot",
      "human",
      "human",
    ]);
  });
});
