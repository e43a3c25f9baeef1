/** The pages of sources in a browser: at every width, and without a script. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasBrowser } from "../../../browser.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { looked, openStage } from "../looks.ts";

const mirrors = mkdtempSync(join(tmpdir(), "roster-mirrors-"));
const long = join(mirrors, `department-${"of-many-words-".repeat(8)}`);
mkdirSync(long);
inventRepository(join(long, "app.git"), [{ author: "Vera Holm <vera@example.org>" }]);
afterAll(() => rmSync(mirrors, { recursive: true }));
const { openAs } = await openStage({
  // A program that reads nothing: the pages show what went wrong.
  ...{ folder: true, self: ["/bin/false"], people: [] },
  config: { ingest: { timeoutMs: 3_600_000, gitMemoryMiB: 2048, roots: [mirrors] } },
});

test.skipIf(!hasBrowser)(
  "fit every width, break no rule, and need no script to add a source",
  async () => {
    const plain = await openAs("plain@corp.example", {
      ...{ administrator: true, javaScriptEnabled: false },
    });
    const { tab, complaints } = await openAs("boss@corp.example", { administrator: true });
    await plain.tab.goto("/");
    await plain.tab.getByRole("link", { name: "Add a source" }).first().click();
    await plain.tab.getByLabel("Address").fill(long);
    await plain.tab.getByRole("button", { name: "Check" }).click();
    await plain.tab.getByText("Check passed").waitFor();
    await plain.tab.getByRole("button", { name: "Read now" }).click();
    await plain.tab.getByRole("link", { name: /^department-/ }).waitFor();

    await tab.goto("/admin/sources");
    const wrong = [...(await looked(tab, "sources"))];
    await tab.getByLabel("Address").fill("nonsense of mine");
    await tab.getByRole("button", { name: "Check" }).click();
    wrong.push(...(await looked(tab, "sources-refused")));
    await tab.getByLabel("Address").fill(long);
    await tab.getByRole("button", { name: "Check" }).click();
    await tab.getByText("Check passed").waitFor();
    wrong.push(...(await looked(tab, "source-found")));
    await tab.getByRole("link", { name: "All sources" }).click();
    await tab.getByRole("link", { name: /^department-/ }).click();
    await tab.getByRole("button", { name: "Turn on" }).click();
    await tab.getByText("Copy the secret now").waitFor();
    wrong.push(...(await looked(tab, "source")));
    expect(wrong).toEqual([]);
    expect(complaints.filter((one) => !one.includes("400"))).toEqual([]);
  },
  180_000,
);
