/** What happens to people while a real forge changes, and what of it is never kept. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addGiteaPerson } from "../../../../scripts/forges/gitea-people.ts";
import { mirror, openProgram, type Program, serveProxy } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("a real Gitea that changes", () => {
  let gitea: SeededGitea;
  let roster: Program;
  beforeEach(async () => {
    gitea = await openGitea();
    roster = openProgram();
    await roster.ingestGit(mirror(gitea.url, "acme/queue", gitea.folder));
    await refresh();
  });
  afterEach(async () => {
    roster?.[Symbol.dispose]();
    await gitea?.stop();
  });
  const refresh = (url = gitea.url) => roster.ingestGitea(url, gitea.ordinaryToken);
  const rename = (from: string, to: string) =>
    gitea.call("POST", `/admin/users/${from}/rename`, { new_username: to });
  const numberOf = async (login: string) => {
    const { id } = await gitea.call<{ id: number }>("GET", `/users/${login}`);
    return String(id);
  };
  const find = async (login: string) => (await roster.people()).find((one) => one.login === login);

  test("somebody renamed stays one person with the commits", async () => {
    await rename("ben", "benedikt");
    await refresh();
    expect((await find("benedikt"))?.commits?.total).toBe(12);
    expect(await find("ben")).toBeUndefined();
  });

  test("a login that another takes over is another person", async () => {
    const number = await numberOf("ben");
    await rename("ben", "benedikt");
    await addGiteaPerson(gitea, {
      ...{ login: "ben", name: "Other Ben", location: "Oslo", email: "other@corp.example" },
    });
    await refresh();
    const people = await roster.people();
    const before = people.find((one) => one.accounts?.some(({ id }) => id === number));
    expect(before).toMatchObject({ login: "benedikt", commits: { total: 12 } });
    const other = people.find((one) => one.profile.name === "Other Ben");
    expect(other?.commits).toBeUndefined();
    expect(other?.profile.location).toBe("Oslo");
  });

  test("somebody deleted leaves after two walks; git's commits stay", async () => {
    await gitea.call("DELETE", "/admin/users/dora?purge=true");
    await gitea.call("DELETE", "/admin/users/ben?purge=true");
    const token = gitea.token;
    await roster.ingestGitea(gitea.url, token);
    await roster.ingestGitea(gitea.url, token);
    expect(await find("dora")).toBeUndefined();
    const people = await roster.people();
    const ben = people.find((one) => one.profile.name === "Ben Forge");
    expect(ben?.commits?.total).toBe(12);
    expect(ben?.profile.location).toBeUndefined();
    expect(people.filter(({ commits }) => commits)).toHaveLength(3);
  });

  test("who is deleted during a walk hides nobody else", async () => {
    for (let at = 0; at < 120; at++) {
      await addGiteaPerson(gitea, { login: `walker${String(at).padStart(3, "0")}` });
    }
    let isDeleting = false;
    await using proxy = serveProxy(gitea.url, async () => {
      // The first page is asked for, and read once the next one is.
      if (!isDeleting || proxy.asked.at(-1)?.url.includes("page=2") !== true) return;
      isDeleting = false;
      await gitea.call("DELETE", "/admin/users/walker000?purge=true");
    });
    using walking = openProgram();
    const walk = () => walking.ingestGitea(proxy.url, gitea.ordinaryToken);
    await walk();
    const before = await walking.people();
    isDeleting = true;
    await walk();
    // Page 3 then lacks whoever moved up to page 2 meanwhile.
    expect(await walking.people()).toHaveLength(before.length);
    await walk();
    await walk();
    const after = await walking.people();
    const logins = before.map(({ login }) => login).filter((login) => login !== "walker000");
    expect(after.map(({ login }) => login)).toEqual(logins);
  });

  test("somebody forgotten does not come back renamed and with another address", async () => {
    await roster.call("forget", "ben");
    await rename("ben", "benedikt");
    const emails = { emails: ["fresh@new.example"] };
    await gitea.call("POST", "/user/emails", emails, { login: "benedikt" });
    await refresh();
    const text = await roster.exportAll();
    for (const word of ["Ben Forge", "benedikt", "ben@corp.example", "fresh@new.example"]) {
      expect(text.includes(word)).toBe(false);
      expect(roster.filesWith(word)).toEqual([]);
    }
    for (const line of text.split("\n").filter(Boolean)) {
      expect(JSON.parse(line).login).not.toBe("ben");
    }
  });

  test("what not everybody may see is in no file, whoever's token asks", async () => {
    await roster.ingestGitea(gitea.url, gitea.token);
    for (const word of [
      ...["private-plans", "private-petra", "Petra Private", "limited-lena", "Lena Limited"],
      ...[gitea.token, gitea.ordinaryToken],
    ]) {
      expect(roster.filesWith(word)).toEqual([]);
    }
  });
});
