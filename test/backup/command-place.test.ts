/** Copies are stored by an operator's commands: what arrives, what is told when a command fails, and that nothing goes on. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCommandPlace, type PlaceCommands } from "../../src/backup/places/command-place.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const environment = { PATH: process.env["PATH"] ?? "" };

/** Commands that keep files in a folder. @param more commands that replace some of them, as texts for a shell. */
function open(more: Partial<Record<keyof PlaceCommands, string>> = {}, silentMs = 20_000) {
  const folder = newFolder();
  const texts = {
    write: "cat > {name}",
    read: "cat {name}",
    list: "stat -c '%s %n' *",
    remove: "rm -f {name}",
    ...more,
  };
  const commands = Object.fromEntries(
    Object.entries(texts).map(([verb, text]) => [verb, ["sh", "-c", `cd '${folder}' && ${text}`]]),
  ) as unknown as PlaceCommands;
  const source = join(newFolder(), "source");
  writeFileSync(source, crypto.getRandomValues(new Uint8Array(60_000)));
  for (let turn = 0; turn < 6; turn++)
    writeFileSync(source, Buffer.concat([readFileSync(source), readFileSync(source)]));
  return {
    ...{ folder, source },
    place: createCommandPlace(commands, { label: "the copy test", environment, silentMs }),
  };
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: Error) => error.message,
  );

test("a file comes back as it was, is listed with its size, and is removed", async () => {
  const { place, source } = open();
  await place.put("a.tar.zst", source);
  expect((await bytesOf(place.get("a.tar.zst"))).equals(readFileSync(source))).toBe(true);
  expect(await place.list()).toEqual([{ name: "a.tar.zst", bytes: 60_000 * 64 }]);
  await place.remove("a.tar.zst");
  await place.remove("a.tar.zst");
  expect(await place.list().catch(() => [])).toEqual([]);
});

test("to remove what is not there is no error, and to fail to remove what is there is one", async () => {
  const { place, source } = open({ list: "ls", remove: "rm {name}" });
  await place.remove("a.tar.zst");
  const kept = open({ remove: "echo no >&2; false" });
  await kept.place.put("a.tar.zst", source);
  expect(await messageOf(kept.place.remove("a.tar.zst"))).toContain("cannot remove: no.");
});

test("names with or without sizes are listed, and what no copy can be named is not", async () => {
  const names = "printf 'a.zst\\n  12  b.zst\\n../c\\n-d\\n$(e)\\nf g h\\n\\n'";
  expect(await open({ list: names }).place.list()).toEqual([
    { name: "a.zst", bytes: undefined },
    { name: "b.zst", bytes: 12 },
  ]);
});

test("a command that fails says why in its last line", async () => {
  const fails = "echo progress >&2; echo 'no route to host.' >&2; exit 7";
  const { place, source } = open({
    write: fails,
    read: `head -c 9 /dev/zero; ${fails}`,
    list: fails,
  });
  const words = (verb: string) => `the copy test cannot ${verb}: no route to host.`;
  expect(await messageOf(place.put("a", source))).toBe(words("write"));
  expect(await messageOf(bytesOf(place.get("a")))).toBe(words("read"));
  expect(await messageOf(place.list())).toBe(words("list"));
  expect(await messageOf(open({ list: "exit 7" }).place.list())).toBe(
    "the copy test cannot list: exit code 7.",
  );
});

test("a program that is missing is named", async () => {
  const words = ["/no/such/program", "{name}"];
  const commands = { write: words, read: words, list: words, remove: words };
  const { source } = open();
  const place = createCommandPlace(commands, { label: "the copy test", environment });
  expect(await messageOf(place.put("a", source))).toContain("/no/such/program");
  expect(await messageOf(bytesOf(place.get("a")))).toContain("/no/such/program");
});

test("a command that hangs is ended with its children, a slow one that goes on is not", async () => {
  const hangs = "sleep 4 && touch late";
  const { place, source, folder } = open({ write: hangs, read: hangs }, 500);
  const silent = "the copy test did nothing for 0.5 seconds.";
  expect(await messageOf(place.put("a", source))).toBe(silent);
  expect(await messageOf(bytesOf(place.get("a")))).toBe(silent);
  await Bun.sleep(4500);
  expect(existsSync(join(folder, "late"))).toBe(false);
  const slow = open({ read: "for turn in 1 2 3 4 5; do echo x; sleep 0.2; done" }, 500);
  expect((await bytesOf(slow.place.get("a"))).toString()).toBe("x\n".repeat(5));
});

test("a stop ends the command at once", async () => {
  const { place, source, folder } = open({ write: "cat >/dev/null; sleep 4; touch late" });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  const began = performance.now();
  expect(await messageOf(place.put("a", source, stop.signal))).toBe("Stopped.");
  expect(await messageOf(place.list(stop.signal))).toBe("Stopped.");
  expect(performance.now() - began).toBeLessThan(3000);
  await Bun.sleep(4200);
  expect(existsSync(join(folder, "late"))).toBe(false);
});

test("a reader that stops early leaves no command behind", async () => {
  const { place, folder } = open({ read: "head -c 100000000 /dev/zero; touch whole" });
  const reader = place.get("a").getReader();
  expect((await reader.read()).value?.length).toBeGreaterThan(0);
  await reader.cancel();
  await Bun.sleep(500);
  expect(existsSync(join(folder, "whole"))).toBe(false);
});

test("commands get only the variables that they need", async () => {
  const { place } = open({ list: "env | cut -d= -f1" });
  const names = (await place.list())
    .map(({ name }) => name)
    .filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name));
  expect(names).toEqual(["PATH"]);
});
