/** The lists themselves: what is named exists, and every name means one thing. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { rounds } from "../long.ts";

const vocabulary = createVocabulary();
const { skills, roles } = vocabulary;

describe("skills", () => {
  test("every id is its own, lower case and without spaces", () => {
    const ids = skills.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id !== id.toLowerCase() || /[\s,|()]/.test(id))).toEqual([]);
  });

  test("every name, id and alias leads back to its skill, however it is spelt", () => {
    for (const skill of skills) {
      for (const name of [skill.name, skill.id, ...skill.aliases]) {
        for (const spelling of [name, name.toUpperCase(), ` ${name} `, name.replaceAll(" ", "-")]) {
          expect([spelling, vocabulary.findSkill(spelling)?.id]).toEqual([spelling, skill.id]);
        }
      }
      expect(vocabulary.skillById(skill.id)).toBe(skill);
    }
  });

  test("a name that somebody else has is given to nobody", () => {
    const owners = new Map<string, string>();
    for (const { id, name, aliases } of skills) {
      for (const text of [id, name, ...aliases]) {
        const key = vocabulary.normalise(text);
        expect([text, owners.get(key) ?? id]).toEqual([text, id]);
        owners.set(key, id);
      }
    }
  });

  test.each(
    Object.entries({
      kubernetes: "k8s",
      go: "golang",
      react: "React.js, reactjs, react js, REACT",
      postgresql: "postgres, psql",
      nodejs: "node, NodeJS",
      typescript: "ts",
      javascript: "js",
      python: "py",
      "c#": "c-sharp, csharp, C♯",
      dotnet: "dotnet, .NET, .NET 8.0",
      angular: "Angular 17",
      "c++": "cpp",
      rails: "RoR",
      tensorflow: "tf",
      c: "C",
      "f#": "F#",
      vue: "vue 3.x",
      love2d: "Löve",
      "ci-cd": "CI/CD",
      "machine-learning": "ML",
    }),
  )("%s is meant by %s", (id, texts) => {
    for (const text of texts.split(", ")) {
      expect([text, vocabulary.findSkill(text)?.id]).toEqual([text, id]);
    }
  });

  test("C, C++, C#, F#, .NET and Go stay apart from what looks like them", () => {
    const forms = ["C", "C++", "C#", "F#", "F*", ".NET", "Go", "GoJS", "Java", "JavaScript"];
    expect(new Set(forms.map(vocabulary.normalise)).size).toBe(forms.length);
    expect(vocabulary.findSkill("GoJS")).toBeUndefined();
  });

  test.each(["Recat", "kuberntes", "pyhton", "jvascript", "dokcer", "Postgers", "", " ", "!?"])(
    "%p is nobody's name and is not read as one",
    (text) => {
      expect(vocabulary.findSkill(text)).toBeUndefined();
    },
  );

  test("a name with one letter changed never leads to the skill it was made from", () => {
    const named = fc.constantFrom(...skills).chain((skill) =>
      fc.record({
        skill: fc.constant(skill),
        at: fc.nat(skill.name.length - 1),
        letter: fc.constantFrom("ж", "字"),
      }),
    );
    fc.assert(
      fc.property(named, ({ skill, at, letter }) => {
        const misspelt = skill.name.slice(0, at) + letter + skill.name.slice(at + 1);
        return vocabulary.findSkill(misspelt) !== skill;
      }),
    );
  });

  test("any text is answered", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        vocabulary.findSkill(text);
        vocabulary.findRole(text);
        vocabulary.topicSkill(text);
        vocabulary.textSkills(text);
        vocabulary.titleRoles(text);
        vocabulary.pathClasses(text);
        vocabulary.packageSkill("npm", text);
        vocabulary.packageSkill(text, text);
        vocabulary.suggest(text, "skill");
      }),
    );
  });

  test("normalising twice changes nothing more for any name there is", () => {
    for (const { name, aliases } of skills) {
      for (const text of [name, ...aliases]) {
        const once = vocabulary.normalise(text);
        expect(vocabulary.findSkill(once)).toBe(vocabulary.findSkill(text) as never);
      }
    }
  });
});

describe("languages", () => {
  test("Linguist's own names lead to a skill, also where it is not a language to anybody else", () => {
    const expected = {
      ...{ "C++": "c++", TSX: "typescript", Vue: "vue", HTML: "html", Shell: "shell" },
      ...{ Dockerfile: "docker", SCSS: "scss", HCL: "hcl", "1C Enterprise": "1c-enterprise" },
      ...{ "Visual Basic .NET": "visual-basic-.net", "Jupyter Notebook": "jupyter-notebook" },
      ...{ "Emacs Lisp": "emacs-lisp", "Protocol Buffer": "protobuf" },
      "Objective-C": "objective-c",
    };
    for (const [name, id] of Object.entries(expected)) {
      expect([name, vocabulary.findLanguage(name)?.id]).toEqual([name, id]);
    }
  });

  test.each(["kubernetes", "machine learning", "k8s"])("%s is none", (text) => {
    expect(vocabulary.findLanguage(text)).toBeUndefined();
  });
});

describe("roles", () => {
  test("every role of the API's clients is there", () => {
    const wanted =
      "fullstack frontend backend mobile devops ai-engineer ai-orchestrator ml-engineer data-scientist data-engineer " +
      "security cloud blockchain embedded gamedev ios-developer android-developer sre platform-engineer qa-engineer " +
      "solutions-architect cto vp-engineering head-engineering engineering-manager tech-lead product-manager " +
      "director-engineering systems-engineer technical-writer desktop-developer database-engineer compiler-engineer " +
      "release-engineer";
    expect(roles.map(({ id }) => id).sort()).toEqual(wanted.split(" ").sort());
  });

  test("every id, display name and alias leads back to its role", () => {
    for (const role of roles) {
      for (const name of [role.id, role.displayName, ...role.aliases]) {
        expect([name, vocabulary.findRole(name)?.id]).toEqual([name, role.id]);
      }
    }
  });

  test.each(
    Object.entries({
      backend: "back-end, back end developers",
      sre: "SRE",
      fullstack: "full stack, Full-Stack Developer",
      "ml-engineer": "ML engineer",
      devops: "DevOps engineers",
      "vp-engineering": "VP of Engineering",
      cto: "Chief Technology Officer",
      gamedev: "game dev",
    }),
  )("%s is meant by %s", (id, texts) => {
    for (const text of texts.split(", ")) {
      expect([text, vocabulary.findRole(text)?.id]).toEqual([text, id]);
    }
  });

  test.each(["backnd", ""])("%p is nobody's", (text) => {
    expect(vocabulary.findRole(text)).toBeUndefined();
  });
});

describe("the lexicon", () => {
  test("every entry names a skill, language or path class that exists, once, and says why", () => {
    for (const { id } of roles) {
      const entries = vocabulary.roleLexicon(id);
      const named = new Set(entries.map(({ kind, name }) => `${kind} ${name}`));
      expect([id, named.size]).toEqual([id, entries.length]);
      for (const { kind, name, weight, reason } of entries) {
        const known =
          kind === "path"
            ? vocabulary.pathClassNames.includes(name)
            : kind === "language"
              ? vocabulary.findLanguage(name)?.id === name
              : vocabulary.skillById(name) !== undefined;
        expect([id, kind, name, known]).toEqual([id, kind, name, true]);
        expect(reason).not.toBe("");
        expect(weight).not.toBe(0);
        expect(Math.abs(weight)).toBeLessThan(3);
      }
    }
  });

  test("every technical role has something to show, leaders and the derived role only a title", () => {
    for (const { id, kind } of roles) {
      const entries = vocabulary.roleLexicon(id);
      if (kind === "technical") expect(entries.length).toBeGreaterThan(15);
      else expect(entries).toEqual([]);
    }
    expect(vocabulary.roleLexicon("astronaut")).toEqual([]);
  });

  test("a language alone says less than what is distinctive of the role", () => {
    for (const { id, kind } of roles) {
      if (kind !== "technical") continue;
      const weights = (of: string) =>
        vocabulary
          .roleLexicon(id)
          .filter((entry) => entry.kind === of)
          .map(({ weight }) => weight);
      expect(Math.max(...weights("skill"), ...weights("path"))).toBeGreaterThanOrEqual(
        Math.max(0, ...weights("language")),
      );
    }
  });
});

describe("suggestions", () => {
  test.each([
    ["reac", "skill", "React"],
    ["kuberntes", "skill", "Kubernetes"],
    ["pyton", "language", "Python"],
    ["backnd", "role", "Backend Developer"],
  ] as const)("%s brings %s %s first", (text, kind, name) => {
    expect(vocabulary.suggest(text, kind)[0]).toBe(name);
  });

  test("whatever is suggested resolves", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), (text) =>
        vocabulary.suggest(text, "skill").every((name) => vocabulary.findSkill(name)),
      ),
      { numRuns: rounds(50) },
    );
  });

  test("at most five, and none for nothing", () => {
    expect(vocabulary.suggest("s", "skill").length).toBeLessThanOrEqual(5);
    expect(vocabulary.suggest("", "skill")).toEqual([]);
  });
});

test("words are folded, split, each once, without those that say nothing", () => {
  const words = vocabulary.words("The Café-bot for C++ and the café's C#");
  expect(words.join(" ")).toBe("cafe bot c++ c#");
  expect(vocabulary.words("")).toEqual([]);
});
