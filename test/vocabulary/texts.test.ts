/** Skills and titles in what people write about themselves. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();
const skillsOf = (text: string) => vocabulary.textSkills(text).map(({ id }) => id);
const rolesOf = (text: string) => vocabulary.titleRoles(text).map(({ id }) => id);

describe("textSkills", () => {
  test.each([
    ["React, Node.js, TypeScript.", ["react", "nodejs", "typescript"]],
    ["Machine learning engineer with PyTorch & k8s", ["machine-learning", "pytorch", "kubernetes"]],
    ["C++ / C# / .NET developer", ["c++", "c#", "dotnet"]],
    ["AWS, GCP", ["aws", "gcp"]],
    ["golang and rustlang", ["go", "rust"]],
    ["distributed systems in Ruby on Rails", ["distributed-systems", "rails"]],
    ["Kubernetes,Docker,Terraform", ["kubernetes", "docker", "terraform"]],
    ["I write Spring Boot.", ["spring-boot"]],
    ["Vue.js|Next.js", ["vue", "nextjs"]],
  ])("%s names %p", (text, ids) => {
    expect(skillsOf(text)).toEqual(ids);
  });

  test.each([
    "I go to work, see C, R and D, and swift rust darts in spring",
    "Go. C. R. D. V. Swift. Rust. Dart. Spring. Express. Phoenix.",
    "we react to events and flutter about in angular motion",
    "https://react.dev/kubernetes mail@terraform.io @docker",
    "an atom of solid elm, next to the vault; helm and anchor",
    "make test, then clean and search for less",
    // A name does not run across a comma or a line.
    "machine, learning\ndata\nscience",
    "",
  ])("%p names none", (text) => {
    expect(skillsOf(text)).toEqual([]);
  });

  test("each skill once, and only the beginning of a very long text", () => {
    expect(skillsOf("PyTorch pytorch PYTORCH")).toEqual(["pytorch"]);
    expect(skillsOf(`${" ".repeat(30_000)}PyTorch`)).toEqual([]);
  });

  test("every name on the lists of ambiguous names is somebody's, and on one list only", () => {
    const file = join(import.meta.dir, "../../seed/vocabulary/ambiguous.txt");
    const lists = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => / = /.test(line) && !line.startsWith("#"));
    const names = lists.flatMap((line) => (line.split(" = ")[1] as string).split(", "));
    expect(lists.map((line) => line.split(" = ")[0])).toEqual(["never", "capital", "short"]);
    expect(names.filter((name) => !vocabulary.findSkill(name))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

/** By role; those of "" claim none. */
const titles = {
  cto: `
    CTO at X; CTO @ Acme; CTO @acme; Founder & CTO; Co-founder and CTO; CTO/Co-Founder;
    I'm the CTO of Acme; CTO Acme GmbH; Ex-Google, CTO at Acme; C.T.O. at Acme`,
  "engineering-manager": "Engineering Manager @ Y; Former CTO, now Engineering Manager at Acme",
  "vp-engineering": "VP of Engineering & Product",
  "head-engineering": "Head of Engineering @acme",
  "director-engineering": "Director of Engineering",
  "tech-lead": "Tech Lead - Acme",
  "product-manager": "Senior Product Manager",
  backend: "Senior Backend Developer at Acme; Berlin-based Python backend developer",
  fullstack: "Full-stack developer, Berlin",
  sre: "Site Reliability Engineer",
  "data-scientist": "Staff Data Scientist",
  "ml-engineer": "Machine Learning Engineer",
  security: "Security researcher | bug bounty",
  "": `
    ex-CTO; Ex CTO at Acme; former CTO; Former founder & CTO;
    Previously: CTO at Acme, VP Engineering at Other; aspiring CTO; future CTO;
    assistant to the CTO; Executive assistant to our CTO; I report to the CTO; Office of the CTO;
    CTO's office; CTO advisor; Coach for CTOs; Hiring a CTO; Looking for a frontend engineer;
    I love working with data scientists; student, not a CTO; Deputy CTO; Software engineer`,
};

describe("titleRoles", () => {
  test.each(Object.entries(titles))("%p", (id, texts) => {
    for (const text of texts.trim().split(/;\s+/)) {
      expect([text, ...rolesOf(text)]).toEqual(id === "" ? [text] : [text, id]);
    }
    expect(rolesOf("")).toEqual([]);
  });

  test("several titles, each once", () => {
    expect(rolesOf("DevOps / SRE. SRE at Acme")).toEqual(["devops", "sre"]);
  });

  test("whatever role somebody had once is not claimed", () => {
    const leaders = vocabulary.roles.filter(({ kind }) => kind === "leadership");
    const words = ["ex-", "former ", "Formerly ", "aspiring ", "future ", "reports to the "];
    const word = fc.constantFrom(...words, "assistant to the ");
    fc.assert(
      fc.property(
        word,
        fc.constantFrom(...leaders),
        (before, { displayName, id }) => !rolesOf(`${before}${displayName} at Acme`).includes(id),
      ),
    );
  });
});
