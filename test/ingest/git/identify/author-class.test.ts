/** Who is no human, by list, name and behaviour; and who is one in spite of a word in the name. */
import { describe, expect, test } from "bun:test";
import {
  classifyByBehaviour,
  classifyByName,
  classifyNamesakes,
  findBotClue,
  humanClass,
} from "../../../../src/ingest/git/identify/author-class.ts";

const byName = (name: string, email: string) => classifyByName({ name, emails: [email] }).class;
const classOf = (text: string) => {
  const [, name = "", email = ""] = /^(.*) <(.*)>$/.exec(text) ?? [];
  return byName(name, email);
};

describe("nobody", () => {
  test("is who is called so, and who is a group", () => {
    const people =
      "anonymous <anonymous@example.com>; root <root@build.example.com>; root <somebody@example.com>; " +
      "Translator <translator@example.com>; Example Core Team <core@example.com>; " +
      "Example Translation Team <ada@example.com>; The Example Developers <12+example@users.noreply.github.com>; " +
      "ubuntu <ubuntu@ip-10-0-0-1.internal>;  <none@none>; Deleted User <noreply+58642@weblate.example>; " +
      "[deleted] <x@example.com>; deleted-account <x@example.com>; Former user <x@example.com>; " +
      "ghost <10137+ghost@users.noreply.github.com>; x <deleted-7@users.noreply.weblate.example>";
    for (const text of people.split("; ")) {
      expect([text, classOf(text)]).toEqual([text, "nobody"]);
    }
  });

  test("is no one with an account, an own address under a machine's name, or a family name", () => {
    expect(byName("root", "12+ada@users.noreply.github.com")).toBe("human");
    expect(byName("admin", "ada@example.com")).toBe("human");
    expect(byName("ghost", "12+ada@users.noreply.github.com")).toBe("human");
    expect(byName("Ada Ghost", "ada@example.com")).toBe("human");
    expect(byName("Ada Root", "ada@example.com")).toBe("human");
    expect(byName("", "ada@example.com")).toBe("human");
  });

  test("says why", () => {
    const { reason } = classifyByName({ name: "Example Core Team", emails: ["x@example.com"] });
    expect(reason).toBe('"Example Core Team" is the name of a group.');
  });
});

test("an agent is who has its account, its name of now or before, or its model's name", () => {
  const agents =
    "Claude Opus 4 <x@example.com>; GPT-4o <x@example.com>; Qwen3-Coder <x@example.com>; " +
    "x <claude-sonnet-4@ci.example.com>; openai-codex <x@example.com>; Google Jules <x@example.com>; " +
    "x <12+anthropic-claude@users.noreply.github.com>; OpenDevin <x@example.com>; gemini-bot <x@example.com>";
  const people =
    "Claude Montreuil <claude@example.com>; claude <claude@example.com>; Claude Ai Li <x@example.com>; " +
    "Codex42 <codex42@example.com>; Jules <jules@example.com>; Gemini Lopez <gemini@example.com>; " +
    "Claude Li <12+shore-claude@users.noreply.github.com>; Ada Agent <agent@example.com>";
  expect(agents.split("; ").filter((text) => classOf(text) !== "assistant")).toEqual([]);
  expect(people.split("; ").filter((text) => classOf(text) !== "human")).toEqual([]);
});

describe("a bot by name alone", () => {
  test("is an account that a forge or a cloud names for a machine", () => {
    const people =
      "project_42_bot_0123abcd <project_42_bot_0123abcd@noreply.gitlab.example.com>; " +
      "project_42_bot2 <project42_bot2@example.com>; " +
      "group_7_bot_99ff <group_7_bot_99ff@noreply.gitlab.example.com>; " +
      "Release token <project_9_bot_ab12@noreply.gitlab.example.com>; " +
      "Deployments <service_account_group_9_ab12@noreply.gitlab.example.com>; " +
      "GitLab Dependency Bot <x@example.com>; Roller <roller@skia.example.iam.gserviceaccount.com>; " +
      "12345-compute <12345-compute@developer.gserviceaccount.com>; svc-release <svc-release@example.com>; " +
      "gitea-actions <teabot@gitea.io>; Forgejo Actions <actions@forgejo.example.org>; " +
      "forgejo-actions <noreply@forgejo.example.org>; bitbucket-pipelines <commits-noreply@bitbucket.org>; " +
      "Release <0123abcd@bots.bitbucket.org>; Payments Build Service (example) <x@example.com>; " +
      "Project Collection Build Service (example) <>; " +
      "Azure Pipelines Test Service <azurepipelines@microsoft.com>; Zuul <zuul@review.example.org>; " +
      "Gerrit Code Review <gerrit@review.example.org>; Copybara-Service <copybara-worker@example.com>; " +
      "argocd-image-updater <noreply@argoproj.io>; fluxcdbot <fluxcdbot@users.noreply.github.com>; " +
      "Terraform Cloud <tfc@example.com>";
    for (const text of people.split("; ")) {
      expect([text, classOf(text)]).toEqual([text, "bot"]);
    }
  });

  test("is nobody who has such a word for a name", () => {
    const people =
      "Abbot Hargrove <abbot@example.com>; Jenkins Oyelaran <jenkins@example.com>; " +
      "Travis Underbridge <travis@example.com>; Claude Montreuil <claude@example.com>; " +
      "Devin Ashgrove <devin@example.com>; S. V. C. Kumar <svc.kumar@example.com>; sa-li <sa-li@example.com>; " +
      "Zuul Ashgrove <zuul@example.com>; Gerrit de Vries <gerrit@example.com>; " +
      "Ada Project <project_bot@example.com>; Flux Sittichai <flux@example.com>; " +
      "Ada Example <ada@gserviceaccount.com.example.org>";
    for (const text of people.split("; ")) {
      expect([text, classOf(text)]).toEqual([text, "human"]);
    }
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
    const classes = authors.map(({ classified }) => classified.class);
    expect(classes.join()).toBe("bot,bot,human,human");
  });
});
