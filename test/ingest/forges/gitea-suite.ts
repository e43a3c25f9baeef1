/** What the Gitea adapter must make of the seeded Gitea: of a real one, and of its recorded answers. */
import { expect, test } from "bun:test";
import type { ForgeAdapter } from "../../../src/ingest/forges/forge.ts";
import { exerciseGitea, type GiteaReader } from "./gitea-double.ts";

export interface OpenedGitea extends AsyncDisposable {
  readonly adapter: ForgeAdapter;
  /** One of each of the three authors. */
  readonly commits: readonly string[];
}

const everybody = ["ada", "ben", "cleo", "dora"];
const authors = ["ada", "ben", "cleo"];

export function testGitea(open: (as: GiteaReader) => Promise<OpenedGitea>): void {
  for (const as of ["ordinary", "administrator"] as const) {
    test(`reads what everybody may see, by the token of somebody who is ${as}`, async () => {
      await using gitea = await open(as);
      const found = await exerciseGitea(gitea.adapter, gitea.commits, as);
      const { all, organization, person, byNumber } = found;
      expect(loginsOf(all.accounts)).toEqual(everybody);
      expect(all.repositories).toHaveLength(1);
      const [queue] = all.repositories;
      expect(queue).toMatchObject({ name: "acme/queue", stars: 1, topics: ["go", "queue"] });
      expect(queue).toMatchObject({ isFork: false, description: "queue.", language: "Go" });
      expect(queue?.urls.some((url) => url.endsWith("/acme/queue.git"))).toBe(true);
      const ada = all.accounts.find(({ login }) => login === "ada");
      expect(ada?.profile).toMatchObject({
        ...{ name: "Ada Forge", bio: "Queues", location: "Berlin, Germany", followers: 1 },
      });
      expect(ada?.profile.profileUrl).toEndWith("/ada");
      expect(loginsOf(organization.accounts)).toEqual(authors);
      expect(loginsOf(person.accounts)).toEqual(["ben"]);
      expect(person.accounts[0]?.profile.blog).toBe("https://ben.example/");
      expect(loginsOf(found.found.accounts)).toEqual(["cleo"]);
      if (found.team) expect(loginsOf(found.team.accounts)).toEqual(authors);
      expect(byNumber.slice(0, -1)).toEqual([...all.accounts]);
      expect(byNumber.at(-1)).toBeUndefined();
      // Noreply, the profile's address and a second one: each names its account.
      const named = found.authors.slice(0, 3);
      expect(loginsOf(named.filter((author) => typeof author !== "string"))).toEqual(authors);
      expect(found.authors.slice(3)).toEqual(["unknown commit", "unknown commit"]);
      const [change] = found.reviews.changes;
      expect(change).toMatchObject({ number: "1", paths: ["queue/step0.go"], files: 1 });
      expect(change?.commits[0]).toMatch(/^[0-9a-f]{40}$/);
      const numberOf = new Map(all.accounts.map(({ login, number }) => [login, number]));
      expect(change?.reviews.map(({ reviewer, verdict }) => [reviewer, verdict])).toEqual([
        [numberOf.get("cleo") ?? "", "approved"],
        [numberOf.get("ben") ?? "", "changesRequested"],
      ]);
      const everything = JSON.stringify(found);
      expect(everything).not.toMatch(/lena|petra|private-plans|last_login|nobody keeps/i);
      expect(everything).not.toContain('"isPublished":true');
      const hasSecond = everything.includes("cleo@home.example");
      expect(hasSecond).toBe(as === "administrator");
      expect(all.hidden).toBeGreaterThan(0);
    });
  }

  test("learns the host of noreply addresses from answers; an administrator never sees one", async () => {
    await using ordinary = await open("ordinary");
    await exerciseGitea(ordinary.adapter, ordinary.commits, "ordinary");
    expect(ordinary.adapter.noreplyHost()).toBe("noreply.forge.example");
    await using administrator = await open("administrator");
    await exerciseGitea(administrator.adapter, administrator.commits, "administrator");
    expect(administrator.adapter.noreplyHost()).toBeUndefined();
  });
}

/** Without the administrator whom Gitea starts with. */
function loginsOf(accounts: readonly { readonly login: string }[]): string[] {
  const logins = accounts.map(({ login }) => login);
  return logins.filter((login) => login !== "root1").sort();
}
