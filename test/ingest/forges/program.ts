/** The real program with a data folder of its own, and clones and a counting proxy for it. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutput } from "../../child-output.ts";
import { program } from "../../faults/server-process.ts";
import { run } from "../git/invented-repository.ts";
import { type Double, serveDouble } from "./double.ts";

export interface Exported {
  readonly login: string;
  /** What forges say laid over it. */
  readonly profile: { readonly location?: string; readonly hireable?: boolean };
  readonly supplements?: readonly Pick<Exported, "profile">[];
  readonly commits?: { readonly total: number };
  readonly accounts?: readonly Record<"forge" | "login" | "id", string>[];
}

export type Program = ReturnType<typeof openProgram>;

export function openProgram() {
  const folder = mkdtempSync(join(tmpdir(), "roster-forge-test-"));
  const data = join(folder, "data");
  const attempt = (args: readonly string[]) => readOutput(spawn(args));
  const spawn = (args: readonly string[]) =>
    Bun.spawn([...program, ...args, "--data", data], { stdout: "pipe", stderr: "pipe" });
  const call = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await attempt(args);
    if (code !== 0) throw new Error(`roster ${args.join(" ")}: exit ${code}\n${out}${err}`);
    return out;
  };
  return {
    folder,
    data,
    attempt,
    spawn,
    /** @returns standard output. @throws unless it ends with 0. */
    call,
    ingestGit: (...paths: string[]) => call("ingest", "git", ...paths),
    /** @param token written to a file that nobody else reads. */
    ingestGitea: (url: string, token: string, ...more: string[]) =>
      call(...giteaArguments(folder, url, token), ...more),
    exportAll: () => call("export", "-"),
    async people(): Promise<readonly Exported[]> {
      const lines = (await call("export", "-")).split("\n").filter(Boolean);
      return lines.map((line) => {
        const person = JSON.parse(line) as Exported;
        const said = (person.supplements ?? []).map(({ profile }) => profile);
        return { ...person, profile: Object.assign({}, person.profile, ...said) };
      });
    },
    /** Every file of the data folder whose bytes have the word. */
    filesWith(word: string): string[] {
      const files = readdirSync(data, { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name))
        .filter((path) => readFileSync(path).includes(word));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function giteaArguments(folder: string, url: string, token: string): string[] {
  return ["ingest", "gitea", "--url", url, ...tokenArguments(folder, token), "--all"];
}

export function tokenArguments(folder: string, token: string): string[] {
  const file = join(folder, "token");
  writeFileSync(file, token);
  chmodSync(file, 0o600);
  return ["--token-file", file];
}

/** @returns a bare mirror, with the forge as its origin. */
export function mirror(url: string, name: string, folder: string): string {
  const path = join(folder, `${name.replaceAll("/", "+")}.git`);
  run(folder, ["clone", "--quiet", "--mirror", `${url}/${name}.git`, path]);
  return path;
}

/** Stands before a forge. @param act before each request is passed on, with its number from 1. */
export function serveProxy(url: string, act: (number: number) => void | Promise<void>): Double {
  return serveDouble(async (request, number) => {
    await act(number);
    const { pathname, search } = new URL(request.url);
    const authorization = request.headers.get("authorization") ?? "";
    const answer = await fetch(`${url}${pathname}${search}`, { headers: { authorization } });
    const headers = new Headers();
    for (const name of ["link", "x-total-count", "content-type"]) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(await answer.text(), { status: answer.status, headers });
  });
}
