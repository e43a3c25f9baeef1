/** Kinds of files, told from the path alone. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readPaths } from "../../src/vocabulary/paths.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();

/** By classes: paths that have them. */
const paths: Readonly<Record<string, string>> = {
  "ci github-actions": ".github/workflows/ci.yml",
  "ci jenkins": "Jenkinsfile",
  dockerfile: "Dockerfile build/Dockerfile.prod",
  compose: "docker-compose.prod.yml",
  kubernetes: "k8s/web/deployment.yaml",
  helm: "charts/app/Chart.yaml",
  terraform: "modules/vpc/main.tf",
  ansible: "playbooks/site.yml",
  "ios mobile-app xcode": "ios/Runner/Info.plist",
  ios: "App/LoginViewController.swift",
  android: "app/src/main/AndroidManifest.xml",
  "mobile-app": "lib/home_page.dart",
  "web-frontend": "src/Button.tsx src/app/app.component.ts",
  "design-system web-frontend": "src/Button.stories.tsx",
  "rails web-backend": "app/controllers/users_controller.rb",
  "web-backend": "src/main/java/UserController.java",
  "database rails web-backend": "db/migrate/20260101_add.rb",
  test: "pkg/parser_test.go src/test/java/LoginTest.java src/util.spec.ts tests/indent/samples.glsl",
  "e2e-test": "cypress/login.cy.ts",
  "docs prose restructuredtext": "guide/intro.rst",
  notebook: "analysis.ipynb",
  "data-pipeline": "dags/daily.py",
  "ml-model": "training/loop.py",
  llm: "prompts/answer.txt",
  agent: "src/mcp/tools.ts",
  firmware: "boards/nucleo.dts",
  "arduino firmware": "blink.ino",
  "firmware platformio": "platformio.ini",
  yocto: "recipes-core/image.bb",
  "kernel low-level": "kernel/sched/entry.S",
  game: "Assets/Scripts/Player.cs",
  shader: "shaders/water.frag",
  "smart-contract": "contracts/Token.sol",
  "offensive security": "rules/webshell.yar",
  "grafana monitoring": "grafana/slo.json",
  "architecture docs markdown prose": "docs/adr/0001-use-git.md",
  "api-spec": "api/openapi.yaml",
  i18n: "config/locales/de.yml",
  jquery: "js/jquery.menu.js",
  emacs: "lisp/gadget.el",
  vim: "ftplugin/gadget.vim",
  neovim: "after/plugin/gadget.lua",
  "test web-frontend": "src/__tests__/Button.test.tsx",
  "docs markdown prose": "docs/kubernetes/prompts.md",
};

test.each(Object.entries(paths))("%s files", (classes, examples) => {
  for (const path of examples.split(" ")) {
    expect([path, vocabulary.pathClasses(path).toSorted().join(" ")]).toEqual([path, classes]);
  }
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
