/** Kinds of files, told from the path alone. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readPaths } from "../../src/vocabulary/paths.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();

test.each([
  [".github/workflows/ci.yml", ["ci", "github-actions"]],
  ["Jenkinsfile", ["ci", "jenkins"]],
  ["Dockerfile", ["dockerfile"]],
  ["build/Dockerfile.prod", ["dockerfile"]],
  ["docker-compose.prod.yml", ["compose"]],
  ["k8s/web/deployment.yaml", ["kubernetes"]],
  ["charts/app/Chart.yaml", ["helm"]],
  ["modules/vpc/main.tf", ["terraform"]],
  ["playbooks/site.yml", ["ansible"]],
  ["ios/Runner/Info.plist", ["ios", "mobile-app", "xcode"]],
  ["App/LoginViewController.swift", ["ios"]],
  ["app/src/main/AndroidManifest.xml", ["android"]],
  ["lib/home_page.dart", ["mobile-app"]],
  ["src/Button.tsx", ["web-frontend"]],
  ["src/app/app.component.ts", ["web-frontend"]],
  ["src/Button.stories.tsx", ["design-system", "web-frontend"]],
  ["app/controllers/users_controller.rb", ["rails", "web-backend"]],
  ["src/main/java/UserController.java", ["web-backend"]],
  ["db/migrate/20260101_add.rb", ["database", "rails", "web-backend"]],
  ["pkg/parser_test.go", ["test"]],
  ["src/test/java/LoginTest.java", ["test"]],
  ["src/util.spec.ts", ["test"]],
  ["cypress/login.cy.ts", ["e2e-test"]],
  ["guide/intro.rst", ["docs", "prose", "restructuredtext"]],
  ["analysis.ipynb", ["notebook"]],
  ["dags/daily.py", ["data-pipeline"]],
  ["training/loop.py", ["ml-model"]],
  ["prompts/answer.txt", ["llm"]],
  ["src/mcp/tools.ts", ["agent"]],
  ["boards/nucleo.dts", ["firmware"]],
  ["blink.ino", ["arduino", "firmware"]],
  ["platformio.ini", ["firmware", "platformio"]],
  ["recipes-core/image.bb", ["yocto"]],
  ["kernel/sched/entry.S", ["kernel", "low-level"]],
  ["Assets/Scripts/Player.cs", ["game"]],
  ["shaders/water.frag", ["shader"]],
  ["contracts/Token.sol", ["smart-contract"]],
  ["rules/webshell.yar", ["offensive", "security"]],
  ["grafana/slo.json", ["grafana", "monitoring"]],
  ["docs/adr/0001-use-git.md", ["architecture", "docs", "markdown", "prose"]],
  ["api/openapi.yaml", ["api-spec"]],
  ["config/locales/de.yml", ["i18n"]],
  ["tests/indent/samples.glsl", ["test"]],
  ["src/__tests__/Button.test.tsx", ["test", "web-frontend"]],
  ["docs/kubernetes/prompts.md", ["docs", "markdown", "prose"]],
] as const)("%s is %p", (path, classes) => {
  expect([...vocabulary.pathClasses(path)].sort()).toEqual([...classes]);
});

test.each(
  (
    "src/index.ts main.py LICENSE go.mod app/recipes/pasta.rb " +
    "plugins/helm/helm.plugin.zsh editor/queries/terraform/highlights.scm src/kernel/Kernel.php icons/train-subway.svg " +
    "babashka.bb a / ... constructor/toString __proto__ "
  ).split(" "),
)("%p says nothing about its author", (path) => {
  expect(vocabulary.pathClasses(path)).toEqual([]);
});

test("every class named is a known one, each once, and the same for the same path", () => {
  const known = new Set(vocabulary.pathClassNames);
  const part = fc.oneof(
    fc.constantFrom("docs", "test", "k8s", ".github", "workflows", "Main_test.go"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = parts.join("/");
      const classes = vocabulary.pathClasses(path);
      expect(classes.filter((name) => !known.has(name))).toEqual([]);
      expect(new Set(classes).size).toBe(classes.length);
      expect(vocabulary.pathClasses(path)).toEqual(classes);
    }),
  );
});

test.each([
  ["k8s/api/deployment.yaml", "kubernetes"],
  ["charts/api/values.yaml", "helm"],
  ["modules/vpc/main.tf", "terraform"],
  ["ansible/roles/web/tasks/main.yml", "ansible"],
  ["manifests/site.pp", "puppet"],
  ["Dockerfile", "docker"],
  ["Jenkinsfile", "jenkins"],
  ["dbt/models/orders.sql", "dbt"],
  ["roles/web/tasks/main.yml", "ansible"],
  ["cookbooks/web/recipes/default.rb", "chef-infra"],
  ["po/de.po", "i18n"],
])("%s speaks for %s, which alone has such files", (path, skill) => {
  const skills = vocabulary
    .pathClasses(path)
    .flatMap((each) => vocabulary.pathSkill(each)?.id ?? []);
  expect(skills).toContain(skill);
});

test("every class that bears a skill bears one that there is", () => {
  const bearing = vocabulary.pathClassNames.filter((name) => vocabulary.pathSkill(name));
  expect(bearing.length).toBeGreaterThan(15);
  expect(readPaths().skills.size).toBe(bearing.length);
});
