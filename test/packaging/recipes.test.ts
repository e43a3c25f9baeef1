/** The recipes are what the forges take: by their published schemas, and with no fault that a reader of shell finds. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findRecipeTool, recipes } from "./tools.ts";

const read = (name: string) => readFileSync(join(recipes, name), "utf8");
const check = (command: readonly string[]) => {
  const ran = Bun.spawnSync([...command], { cwd: recipes });
  return { code: ran.exitCode, said: `${ran.stdout}${ran.stderr}` };
};

describe("recipes", () => {
  const schemas = findRecipeTool("check-jsonschema");
  test.skipIf(!schemas)("are what the schemas of GitHub and GitLab allow", () => {
    for (const [file, schema, ...more] of [
      ["gitea.yml", "vendor.github-workflows"],
      ["github.yml", "vendor.github-workflows"],
      ["gitlab.yml", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
      ["gitea-clone.yml", "vendor.github-workflows"],
      ["github-clone.yml", "vendor.github-workflows"],
      ["gitlab-clone.yml", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
    ]) {
      const command = [String(schemas), "--builtin-schema", String(schema), ...more, String(file)];
      expect(check(command)).toMatchObject({ code: 0 });
    }
  });

  const shellcheck = findRecipeTool("shellcheck");
  test.skipIf(!shellcheck)("have a script in which shellcheck finds nothing", () => {
    expect(check([String(shellcheck), "comment-reviewers"])).toEqual({ code: 0, said: "" });
  });

  test("are the same steps for Gitea and GitHub", () => {
    const steps = (name: string) => {
      const text = read(name);
      return text.slice(text.indexOf("\nname:"));
    };
    for (const kind of ["", "-clone"]) {
      const asGitHub = steps(`gitea${kind}.yml`)
        .replace("secrets.REVIEWERS_TOKEN || github.token", "github.token")
        .replace("comment-reviewers gitea", "comment-reviewers github")
        .replace(": .gitea/", ": .github/");
      expect(asGitHub).toBe(steps(`github${kind}.yml`));
    }
  });

  test("without a server name no service, and give the token to one step alone", () => {
    for (const name of ["gitea", "github", "gitlab"]) {
      const text = read(`${name}-clone.yml`);
      expect(text).not.toMatch(/ROSTER_URL|ROSTER_API_KEY/);
      expect(text.match(/FORGE_TOKEN:/g)).toHaveLength(1);
      const all = text.slice(text.indexOf("comment-reviewers owners"));
      expect(all).not.toContain("TOKEN");
    }
  });

  test("check nothing out, run no action of others, and give the key to one step alone", () => {
    for (const name of ["gitea.yml", "github.yml", "gitea-clone.yml", "github-clone.yml"]) {
      const text = read(name);
      expect(text.replace(/^#.*/gm, "")).not.toContain("uses:");
      expect(text).toContain("\n  pull_request_target:\n");
      if (!name.includes("clone")) {
        expect(text.match(/\$\{\{ secrets\.ROSTER_API_KEY \}\}/g)).toHaveLength(1);
        const asks = text.slice(text.indexOf("Name reviewers in a comment"));
        expect(asks.slice(0, asks.indexOf("run:"))).toContain("secrets.ROSTER_API_KEY");
      }
      // What a stranger can name stands in no command.
      for (const [, command = ""] of text.matchAll(/\n +run: ?(.*(?:\n {10}.*)*)/g)) {
        expect(command).not.toContain("${{");
      }
    }
    for (const name of ["gitlab.yml", "gitlab-clone.yml"])
      expect(read(name)).toContain("GIT_STRATEGY: none");
  });
});
