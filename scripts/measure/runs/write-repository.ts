/** Writes a repository with one `git fast-import`, to which the commits are streamed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mainBranch, type Work } from "./invent-work.ts";

const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
const chunkLength = 1 << 18;

const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  // Else glibc gives the memory of each packed object back to the system, which takes most of the time.
  MALLOC_MMAP_THRESHOLD_: "33554432",
  MALLOC_TRIM_THRESHOLD_: "268435456",
};

/** Makes a bare repository. @throws when git does not take it. */
export async function writeRepository(directory: string, works: Iterable<Work>): Promise<void> {
  // What `git init --bare` leaves, without its process and its example hooks.
  for (const folder of ["objects", "refs"]) mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, "HEAD"), `ref: ${mainBranch}\n`);
  writeFileSync(join(directory, "config"), config);
  // Level 1 packs in half the time; a pack is kept however few objects it has.
  const settings = ["-c", "core.compression=1", "-c", "fastimport.unpackLimit=1"];
  const child = Bun.spawn(["git", ...settings, "-C", directory, "fast-import", "--quiet"], {
    ...{ stdin: "pipe", stdout: "ignore", stderr: "pipe" },
    env: environment,
  });
  const complaint = new Response(child.stderr).text();
  let chunk = "";
  for (const work of works) {
    chunk += toCommand(work);
    if (chunk.length < chunkLength) continue;
    child.stdin.write(chunk);
    chunk = "";
    // Waits until git has taken it, so that memory stays bounded.
    await child.stdin.flush();
  }
  child.stdin.write(chunk);
  await child.stdin.end();
  if ((await child.exited) !== 0) throw new Error(`${directory}: ${await complaint}`);
  rmSync(join(directory, "refs/heads/topic"), { force: true });
}

/** @returns the commit at which a ref of a repository that was written here stands. */
export function readRef(directory: string, ref: string): string {
  return readFileSync(join(directory, ref), "latin1").trim();
}

/** Moves a ref to a commit that the repository has. */
export function moveRef(directory: string, ref: string, commit: string): void {
  writeFileSync(join(directory, ref), `${commit}\n`);
}

/** One commit in the form that `git fast-import` reads. */
export function toCommand({ branch, from, merges, author, at, message, files }: Work): string {
  const signature = `${author.name} <${author.email}> ${at} +0000`;
  let text = `commit ${branch}\nauthor ${signature}\ncommitter ${signature}\n${toData(message)}`;
  if (from) text += `from ${from}\n`;
  if (merges) text += `merge ${merges}\n`;
  for (const [path, content] of files) text += `M 100644 inline ${path}\n${toData(content)}`;
  return text;
}

function toData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
