/**
 * Repositories whose settings would start a program, reach somebody, or keep git waiting: each is read like any
 * other, or left out, and none of it happens. Every program named leaves a trace when it is run.
 */
import { beforeAll, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../ingest/git/invented-repository.ts";
import { read } from "../ingest/git/read.ts";
import { isLong } from "../long.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("git");
const at = (...names: string[]): string => join(folder, ...names);
const traces = at("traces");

/** Settings by the name of the case, as lines of `config`; `$RUN` is a program, `$PIPE` keeps its reader waiting. */
const programs: Record<string, string> = {
  fsmonitor: "[core]\nfsmonitor = $RUN",
  "fsmonitor hook": "[core]\nfsmonitor = $RUN\nfsmonitorHookVersion = 1\nuntrackedCache = true",
  pager: "[core]\npager = $RUN\n[pager]\nlog = $RUN\nrev-parse = $RUN\nconfig = $RUN",
  editor: "[core]\neditor = $RUN\naskPass = $RUN\n[sequence]\neditor = $RUN",
  hooks: "[core]\nhooksPath = $HOOKS",
  "alternate refs": "[core]\nalternateRefsCommand = $RUN",
  aliases: "[alias]\nlog = !$RUN\nls-tree = !$RUN\nrev-parse = !$RUN\ncat-file = !$RUN",
  signatures:
    '[log]\nshowSignature = true\n[gpg]\nprogram = $RUN\n[gpg "ssh"]\nprogram = $RUN\ndefaultKeyCommand = $RUN',
  "external diff": "[diff]\nexternal = $RUN",
  "diff driver": '[diff "evil"]\ncommand = $RUN\ntrustExitCode = true',
  textconv: '[diff "evil"]\ntextconv = $RUN\ncachetextconv = true\nbinary = true',
  filters: '[filter "evil"]\nclean = $RUN\nsmudge = $RUN\nprocess = $RUN\nrequired = true',
  "merge driver": '[merge "evil"]\ndriver = $RUN',
  trailers: '[trailer "co-authored-by"]\ncommand = $RUN\ncmd = $RUN\nifMissing = add',
  "pack objects": "[uploadpack]\npackObjectsHook = $RUN\nallowAnySHA1InWant = true",
  credentials: '[credential]\nhelper = "!$RUN"\n[http]\nproxy = http://127.0.0.1:9',
  submodules: '[submodule]\nrecurse = true\n[submodule "x"]\nupdate = "!$RUN"\nurl = ext::$RUN',
  includes: '[include]\npath = $INCLUDE\n[includeIf "gitdir:/"]\npath = $INCLUDE',
  "worktree settings": "[core]\nrepositoryFormatVersion = 1\n[extensions]\nworktreeConfig = true",
  "another working tree": "[core]\nworktree = $ELSEWHERE",
};

/**
 * A remote that promises what is missing, spelt in every way in which git takes a word for yes. Each way to reach it comes with each
 * word in the long form; in the gate with the first and the last.
 */
for (const yes of ["= true", "= yes", "= on", "= 1", "= 2", "= TRUE", "= 1k", ""]) {
  const promise = `promisor ${yes}\npartialCloneFilter = blob:none\nfetch = +refs/*:refs/*`;
  const allowed = '[protocol]\nallow = always\n[protocol "ext"]\nallow = always';
  programs[`promised by ext, ${yes}`] = `[remote "o"]\nurl = ext::$RUN\n${promise}\n${allowed}`;
  if (!isLong && yes !== "= true" && yes !== "") continue;
  programs[`promised by ssh, ${yes}`] =
    `[core]\nsshCommand = $RUN\n[remote "o"]\nurl = ssh://localhost/x\n${promise}\n${allowed}`;
  programs[`promised by upload-pack, ${yes}`] =
    `[remote "o"]\nurl = file://$ELSEWHERE\nuploadpack = $RUN\n${promise}\n${allowed}`;
}
programs["promised by extension"] =
  '[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = o\n[remote "o"]\nurl = ext::$RUN\n[protocol "ext"]\nallow = always';
programs["promised by another address"] =
  '[remote "o"]\nurl = x:y\npromisor = yes\n[url "ext::$RUN"]\ninsteadOf = x:y\n[protocol "ext"]\nallow = always';
programs["promised by a helper"] =
  '[remote "o"]\nurl = x\nvcs = evil\npromisor = yes\n[protocol "evil"]\nallow = always';

const endless: Record<string, string> = Object.fromEntries(
  ["$PIPE", "/dev/zero"].flatMap((target) => [
    [`mailmap ${target}`, `[mailmap]\nfile = ${target}`],
    [`include ${target}`, `[include]\npath = ${target}`],
    [`conditional include ${target}`, `[includeIf "gitdir:/"]\npath = ${target}`],
    [`attributes ${target}`, `[core]\nattributesFile = ${target}`],
    [`ignored files ${target}`, `[core]\nexcludesFile = ${target}`],
    [`order ${target}`, `[diff]\norderFile = ${target}`],
    [`ignored revisions ${target}`, `[blame]\nignoreRevsFile = ${target}`],
    [`signers ${target}`, `[gpg "ssh"]\nallowedSignersFile = ${target}`],
  ]),
);

beforeAll(() => {
  for (const name of ["traces", "hooks", "elsewhere", "bin"]) mkdirSync(at(name));
  const leaveTrace = '#!/bin/sh\necho "$0" >"$(mktemp TRACES/XXXXXX)"\nexit 1\n';
  const program = (path: string, text = leaveTrace): void => {
    writeFileSync(path, text.replace("TRACES", traces));
    chmodSync(path, 0o755);
  };
  program(at("run"));
  program(at("bin/git-remote-evil"));
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"])
    program(at("hooks", hook));
  // A git that does not know the variable, such as 2.39.3 and 2.45.0.
  const real = Bun.which("git");
  program(
    at("bin/git"),
    `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nPATH=${at("bin")}:$PATH exec ${real} "$@"\n`,
  );
  Bun.spawnSync(["mkfifo", at("pipe")]);
  writeFileSync(
    at("include"),
    `[core]\nfsmonitor = ${at("run")}\n[diff]\nexternal = ${at("run")}\n`,
  );
});

function makeTemplate(): string {
  const made = at("template");
  git(folder, "init", "--quiet", "--initial-branch=main", made);
  const files = {
    ".gitattributes": "* diff=evil filter=evil merge=evil\n",
    "a.js": "let a = 1;\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  const who = ["-c", "user.name=Ada Example", "-c", "user.email=ada@example.com"];
  git(made, "add", ".");
  git(made, ...who, "commit", "--quiet", "-m", "Start");
  writeFileSync(join(made, "a.js"), "let a = 2;\n");
  git(made, ...who, "commit", "--quiet", "-am", "Go on");
  return made;
}

function makeAll(
  cases: Record<string, string>,
  shelf: string,
  isMissing: (name: string) => boolean,
) {
  const template = makeTemplate();
  const blob = git(template, "rev-parse", "HEAD~1:a.js").toString().trim();
  for (const [at0, [name, config]] of Object.entries(cases).entries()) {
    const made = join(shelf, `${at0} ${name.replaceAll("/", "-")}`);
    cpSync(template, made, { recursive: true });
    const text = config
      .replaceAll("$RUN", at("run"))
      .replaceAll("$PIPE", at("pipe"))
      .replaceAll("$HOOKS", at("hooks"))
      .replaceAll("$INCLUDE", at("include"))
      .replaceAll("$ELSEWHERE", at("elsewhere"));
    writeFileSync(join(made, ".git/config"), `${text}\n`, { flag: "a" });
    writeFileSync(join(made, ".git/config.worktree"), `[core]\nfsmonitor = ${at("run")}\n`);
    writeFileSync(join(made, ".git/info/attributes"), "* diff=evil filter=evil\n");
    if (isMissing(name)) rmSync(join(made, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  }
  rmSync(template, { recursive: true });
}

test("no setting starts a program or fetches anything, on a git without GIT_NO_LAZY_FETCH either", async () => {
  const isPromised = (name: string): boolean => name.startsWith("promised");
  makeAll(programs, at("programs"), isPromised);
  const { summaries, refused } = await read([at("programs")], { program: at("bin/git") });
  expect(readdirSync(traces)).toEqual([]);
  const names = Object.keys(programs);
  // What is promised is missing, whatever git would be told: such a repository is refused.
  expect(refused.map(({ reason }) => reason)).toEqual(
    names.filter(isPromised).map(() => "objects are missing, as in a partial clone, or damaged."),
  );
  const complete = names.filter((name) => !isPromised(name));
  expect(summaries.map(({ commits }) => commits)).toEqual(complete.map(() => 2));
}, 300_000);

test("no setting makes git read what never ends", async () => {
  makeAll(endless, at("endless"), () => false);
  const signal = AbortSignal.timeout(200_000);
  const { summaries, refused } = await read([at("endless")], { signal });
  expect(refused).toEqual([]);
  expect(summaries.map(({ commits }) => commits)).toEqual(Object.keys(endless).map(() => 2));
}, 300_000);
