/** What an administrator connects: a repository that git's own server serves. */
import { join } from "node:path";
import { serveGit } from "../ingest/mirrors/serve-git.ts";
import { type Desk, expectDone } from "./desk.ts";

export interface Place {
  /** What the administrator types. */
  readonly address: string;
  readonly token: string;
  readonly wrongToken: string;
  /** The name of somebody who has committed there. */
  readonly somebody: string;
  /** Sets the hook up as the place wants it. */
  setHook(address: string, secret: string): Promise<void>;
  /** Pushes a commit of somebody new. */
  push(name: string, email: string): Promise<void>;
  close(): Promise<void>;
}

type Commit = readonly [name: string, email: string];

const compose = ([name, email]: Commit, at: number) =>
  `echo 'export const n${at} = ${at};' >file${at}.ts && git add . && ` +
  `git -c user.name='${name}' -c user.email=${email} commit -qm 'feat: add part ${at}, which was missing'`;

/** A private repository that git's own server serves over HTTP. Its `post-receive` is the line of the page. */
export async function openRepository(desk: Desk): Promise<Place> {
  const token = `gt_${crypto.randomUUID().replaceAll("-", "")}`;
  const authors: readonly Commit[] = [
    ["Nora Example", "nora@example.com"],
    ["Ben Invented", "ben@example.com"],
  ];
  const commits = authors.map(compose).join(" && ");
  const bare = join(desk.folder, "served/acme/shop.git");
  expectDone(
    await desk.shell(
      `git init -q shop && (cd shop && ${commits}) && git clone -q --bare shop ${bare}`,
    ),
  );
  const authorization = `Basic ${btoa(`x-access-token:${token}`)}`;
  const server = serveGit(join(desk.folder, "served"), authorization);
  let pushes = authors.length;
  return {
    address: `${server.url}/acme/shop`,
    ...{ token, wrongToken: `${token.slice(0, -1)}-`, somebody: "Nora Example" },
    async setHook(address, secret) {
      const file = join(desk.folder, "hook.secret");
      await Bun.write(file, `${secret}\n`);
      const lines = await Bun.file(join(import.meta.dir, "../../docs/sources.md")).text();
      const [, program = ""] = /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(lines) ?? [];
      const filled = program
        .replace("https://roster.example.com/hooks/bare", address)
        .replace("/srv/git/roster-hook", file);
      await Bun.write(join(bare, "hooks/post-receive"), filled);
      expectDone(await desk.shell(`chmod 755 ${bare}/hooks/post-receive`));
    },
    async push(name, email) {
      const commit = compose([name, email], pushes++);
      expectDone(await desk.shell(`cd shop && ${commit} && git push -q ${bare} HEAD`));
    },
    close: async () => server[Symbol.asyncDispose](),
  };
}
