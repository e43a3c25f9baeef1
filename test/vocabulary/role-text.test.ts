/** Roles as people and models write them. */
import { describe, expect, test } from "bun:test";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();
const read = (text: string) => {
  const { role, languages } = vocabulary.readRole(text);
  return [role?.id ?? "", ...languages.map(({ name }) => name)].join(" ");
};

/** By what is understood: how people say it. */
const texts: Readonly<Record<string, string>> = {
  "backend Java": `
    java developer | Java Engineer | backend developer - Java | Java Spring developer`,
  "backend Go": "golang engineer | Go developer | Backend Engineer (Go)",
  "backend Python": "Python Backend Developer | Backend Engineer, Python | Python Django developer",
  "backend PHP": "PHP programmer",
  "": `
    Ruby on Rails developer | Frontend Engineer (React, TypeScript) | go-to-market engineer |
    go to market manager | R&D engineer | R & D engineer | R and D engineer | C level |
    C-level executive | basic support | basic support engineer | clean code developer |
    processing engineer | data processing engineer | red team engineer | metal engineer |
    assembly engineer | text engineer | make engineer | shell engineer |
    crystal clear backend developer | scratch frontend developer | pure frontend developer |
    Series C founding engineer | vitamin c developer | go live engineer |
    swift integration engineer | move engineer | reason developer | hack developer |
    factor developer | io developer | max developer | lean engineer | apex developer`,
  "systems-engineer C++": "C++ engineer | C++ software engineer",
  "systems-engineer C": "C developer",
  "embedded C": "embedded C developer",
  "embedded C++": "Embedded C++ engineer | Embedded Software Engineer (C/C++)",
  "systems-engineer Rust": "Rust engineer",
  "backend Rust": "Rust backend engineer",
  "android-developer Kotlin": "Kotlin developer | Android developer (Kotlin)",
  "ios-developer Swift": "Swift developer | iOS engineer - Swift",
  "frontend JavaScript": "JavaScript developer | js engineer",
  " TypeScript": "TypeScript developer | ts developer",
  "frontend TypeScript": "frontend developer TypeScript",
  "backend C#": "C# developer | C# .NET developer",
  "data-engineer Scala": "Scala data engineer",
  "data-engineer Python": "Python data engineer",
  "data-scientist R": "Data Scientist (R)",
  "data-scientist Python": "data scientist Python",
  " R": "R developer",
  "data-engineer SQL": "SQL developer",
  " Java Kotlin": "Java/Kotlin developer",
  "backend Java Kotlin": "Java and Kotlin backend developer",
  "fullstack Java": "full stack java developer",
  "fullstack TypeScript": "Full-Stack Engineer (TypeScript)",
  "fullstack Python": "fullstack developer with Python",
  "fullstack PHP": "Full Stack Developer in PHP",
  "devops Python": "DevOps engineer Python",
  "platform-engineer Go": "Go platform engineer",
  "sre Go": "SRE (Go)",
  "sre Python": "Site Reliability Engineer - Python",
  "qa-engineer Java": "QA automation engineer Java",
  "qa-engineer Python": "Python test automation engineer",
  "blockchain Solidity": "Solidity developer",
  "blockchain Rust": "Rust blockchain developer",
  "backend Elixir": "Elixir developer | Elixir backend engineer",
  " Perl": "Perl developer",
  " Haskell": "Haskell developer",
  "ml-engineer Python": "machine learning engineer python",
  "ml-engineer Python C++": "ML engineer (Python, C++)",
  "gamedev C#": "Unity developer C#",
  "gamedev C++": "C++ game developer",
  "embedded VHDL": "VHDL FPGA engineer",
  "embedded Verilog": "Verilog hardware engineer",
  "head-engineering": "head of R&D",
  "vp-engineering": "vp of r&d",
  "systems-engineer": "systems engineer",
  backend: "backend developer | node developer | node.js developer | django developer",
  mobile: "app developer",
  "technical-writer": "content developer",
  frontend: "react developer",
  "data-engineer": "spark developer",
  "solutions-architect": "solution architect",
  "solutions-architect Java": "Java architect",
  "tech-lead Java": "Java tech lead",
  "engineering-manager Go": "engineering manager (Go)",
  " Dart": "dart developer",
  "mobile Dart": "Flutter developer (Dart)",
};

test.each(Object.entries(texts))("%p is understood", (expected, said) => {
  for (const text of said.trim().split(/\s*\|\s*/)) {
    expect([text, read(text)]).toEqual([text, expected]);
  }
});

describe("the names of the list", () => {
  const names = vocabulary.roles.flatMap((role) =>
    [role.id, role.displayName, ...role.aliases].map((name) => ({ name, role })),
  );

  test("keep their roles", () => {
    expect(names.filter(({ name, role }) => vocabulary.readRole(name).role !== role)).toEqual([]);
  });

  test("ask for no language but those that they name in so many words", () => {
    const asking = names.flatMap(({ name }) => {
      const { languages } = vocabulary.readRole(name);
      return languages.map((language) => [name, language] as const);
    });
    expect(asking.length).toBeGreaterThan(20);
    const words = (text: string) => text.toLowerCase().split(" ");
    const unnamed = asking.filter(
      ([name, language]) =>
        ![language.name, ...language.aliases].some((each) =>
          words(name).includes(each.toLowerCase()),
        ),
    );
    expect(unnamed).toEqual([]);
  });
});

test("words of seniority are passed over beside a role, and told", () => {
  const told = (text: string) => [read(text), ...vocabulary.readRole(text).seniority].join(" | ");
  const cases: Readonly<Record<string, string>> = {
    "senior rust engineer": "systems-engineer Rust | senior",
    "Sr. backend engineer": "backend | sr.",
    "Backend Engineer (Senior)": "backend | senior",
    "Backend Engineer II": "backend | ii",
    "mid-level DevOps": "devops | mid-level",
    "Jr Go dev": "backend Go | jr",
    "Lead iOS developer": "ios-developer | lead",
    // Of the role's own name.
    "lead developer": "tech-lead",
    "staff engineer": "tech-lead",
    "senior director of engineering": "director-engineering",
    seniority: "",
    "senior plumber": " | senior",
  };
  for (const [text, meant] of Object.entries(cases))
    expect([text, told(text)]).toEqual([text, meant]);
});

test("a sentence is no role, and takes no longer than its words", () => {
  expect(read(`${"java ".repeat(40)}developer`)).toBe("");
});
