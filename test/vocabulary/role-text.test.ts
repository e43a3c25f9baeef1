/** Roles as people and models write them. The rules were made on every other line; the others are judged by them. */
import { describe, expect, test } from "bun:test";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();
const read = (text: string) => {
  const { role, languages } = vocabulary.readRole(text);
  return [role?.id ?? "", ...languages.map(({ name }) => name)].join(" ");
};

const texts: Readonly<Record<string, string>> = {
  "java developer": "backend Java",
  "Java Engineer": "backend Java",
  "golang engineer": "backend Go",
  "Go developer": "backend Go",
  "Python Backend Developer": "backend Python",
  "Backend Engineer (Go)": "backend Go",
  "backend developer - Java": "backend Java",
  "Backend Engineer, Python": "backend Python",
  "PHP programmer": "backend PHP",
  "Ruby on Rails developer": "",
  "C++ engineer": "systems-engineer C++",
  "C++ software engineer": "systems-engineer C++",
  "C developer": "systems-engineer C",
  "embedded C developer": "embedded C",
  "Embedded C++ engineer": "embedded C++",
  "Embedded Software Engineer (C/C++)": "embedded C++",
  "Rust engineer": "systems-engineer Rust",
  "Rust backend engineer": "backend Rust",
  "Kotlin developer": "android-developer Kotlin",
  "Android developer (Kotlin)": "android-developer Kotlin",
  "Swift developer": "ios-developer Swift",
  "iOS engineer - Swift": "ios-developer Swift",
  "JavaScript developer": "frontend JavaScript",
  "TypeScript developer": " TypeScript",
  "frontend developer TypeScript": "frontend TypeScript",
  "Frontend Engineer (React, TypeScript)": "",
  "C# developer": "backend C#",
  "C# .NET developer": "backend C#",
  "Scala data engineer": "data-engineer Scala",
  "Python data engineer": "data-engineer Python",
  "Data Scientist (R)": "data-scientist R",
  "data scientist Python": "data-scientist Python",
  "R developer": " R",
  "SQL developer": "data-engineer SQL",
  "Java Spring developer": "backend Java",
  "Python Django developer": "backend Python",
  "Java/Kotlin developer": " Java Kotlin",
  "Java and Kotlin backend developer": "backend Java Kotlin",
  "full stack java developer": "fullstack Java",
  "Full-Stack Engineer (TypeScript)": "fullstack TypeScript",
  "fullstack developer with Python": "fullstack Python",
  "Full Stack Developer in PHP": "fullstack PHP",
  "DevOps engineer Python": "devops Python",
  "Go platform engineer": "platform-engineer Go",
  "SRE (Go)": "sre Go",
  "Site Reliability Engineer - Python": "sre Python",
  "QA automation engineer Java": "qa-engineer Java",
  "Python test automation engineer": "qa-engineer Python",
  "Solidity developer": "blockchain Solidity",
  "Rust blockchain developer": "blockchain Rust",
  "Elixir developer": "backend Elixir",
  "Elixir backend engineer": "backend Elixir",
  "Perl developer": " Perl",
  "Haskell developer": " Haskell",
  "machine learning engineer python": "ml-engineer Python",
  "ML engineer (Python, C++)": "ml-engineer Python C++",
  "Unity developer C#": "gamedev C#",
  "C++ game developer": "gamedev C++",
  "VHDL FPGA engineer": "embedded VHDL",
  "Verilog hardware engineer": "embedded Verilog",
  "go-to-market engineer": "",
  "go to market manager": "",
  "R&D engineer": "",
  "R & D engineer": "",
  "R and D engineer": "",
  "head of R&D": "head-engineering",
  "vp of r&d": "vp-engineering",
  "C level": "",
  "C-level executive": "",
  "basic support": "",
  "basic support engineer": "",
  "clean code developer": "",
  "processing engineer": "",
  "data processing engineer": "",
  "systems engineer": "systems-engineer",
  "backend developer": "backend",
  "app developer": "mobile",
  "content developer": "technical-writer",
  "red team engineer": "",
  "metal engineer": "",
  "assembly engineer": "",
  "text engineer": "",
  "make engineer": "",
  "shell engineer": "",
  "react developer": "frontend",
  "node developer": "backend",
  "node.js developer": "backend",
  "django developer": "backend",
  "spark developer": "data-engineer",
  "crystal clear backend developer": "",
  "scratch frontend developer": "",
  "pure frontend developer": "",
  "Series C founding engineer": "",
  "vitamin c developer": "",
  "go live engineer": "",
  "swift integration engineer": "",
  "solution architect": "solutions-architect",
  "Java architect": "solutions-architect Java",
  "Java tech lead": "tech-lead Java",
  "engineering manager (Go)": "engineering-manager Go",
  "move engineer": "",
  "reason developer": "",
  "hack developer": "",
  "factor developer": "",
  "io developer": "",
  "max developer": "",
  "lean engineer": "",
  "apex developer": "",
  "dart developer": " Dart",
  "Flutter developer (Dart)": "mobile Dart",
  "ts developer": " TypeScript",
  "js engineer": "frontend JavaScript",
};

for (const [text, expected] of Object.entries(texts)) {
  test(`${text}: ${expected || "unknown"}`, () => expect(read(text)).toBe(expected));
}

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
