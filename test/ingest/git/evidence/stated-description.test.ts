import { describe, expect, test } from "bun:test";
import {
  findDescription,
  selectDescribing,
} from "../../../../src/ingest/git/evidence/stated-description.ts";

const pathsOf = (...paths: string[]) =>
  selectDescribing(paths.map((path) => ({ path }))).map(({ path }) => path);

describe("what a manifest states", () => {
  test.each([
    ["package.json", '{"description": "A mail client", "keywords": ["mail", "imap"]}'],
    ["pyproject.toml", '[project]\ndescription = "A mail client"\nkeywords = ["mail", "imap"]\n'],
    ["setup.py", "setup(name='reed', description='A mail client', keywords='mail, imap')"],
    ["galaxy.yml", "description: A mail client\ntags:\n  - mail\n  - imap\n"],
    ["reed.gemspec", "s.summary = 'A mail client'\n"],
    ["reed.cabal", "synopsis: A mail client\ncategory: Mail\n"],
    ["DESCRIPTION", "Package: reed\nTitle: A mail client\nDescription: Reads mail.\n"],
    ["pom.xml", "<project><description>A mail client</description></project>"],
    ["CMakeLists.txt", 'project(reed VERSION 1 DESCRIPTION "A mail client")\n'],
    ["reed.pc.in", "Name: reed\nDescription: A mail client\n"],
    ["src/reed.app.src", '{application, reed, [{description, "A mail client"}]}.'],
    ["dune-project", '(package (name reed) (synopsis "A mail client"))'],
    ["fastlane/metadata/android/en-US/short_description.txt", "A mail client\n"],
  ])("is read from %s", (path, text) => {
    expect(pathsOf(path)).toEqual([path]);
    const [description, ...keywords] = findDescription(path, text);
    expect(description?.trim()).toBe("A mail client");
    if (keywords.length > 0) expect(keywords).toEqual(["mail", "imap"]);
  });

  test("is cut where means and examples begin", () => {
    const text = '{"description": "A mail client using GTK with games"}';
    expect(findDescription("package.json", text)).toEqual(["A mail client "]);
  });

  test("is not what a build looks for, nor what a part states", () => {
    const build = 'find_package(Qt)\nset_package_properties(Qt PROPERTIES DESCRIPTION "Toolkit")\n';
    expect(findDescription("CMakeLists.txt", build)).toEqual([]);
    expect(pathsOf("reed-cli.opam", "reed.opam", "web/package.json", "README.md")).toEqual([
      "reed.opam",
    ]);
  });

  test("is found in bounded time, whatever the text", () => {
    const pieces =
      'description: |description "|keywords = [|tags:\n  -|<summary>|project(|description\n|  ';
    for (const piece of pieces.split("|")) {
      const text = piece.repeat(20_000);
      for (const path of ["package.json", "CMakeLists.txt", "galaxy.yml"]) {
        expect(findDescription(path, text).join("").length).toBeLessThan(10_000);
      }
    }
  });
});
