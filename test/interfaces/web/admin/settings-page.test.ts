/** The page of settings: every one under its heading, found by words, with what changes it and without a secret. */
import { afterAll, describe, expect, test } from "bun:test";
import { readConfig } from "../../../../src/config/config.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const { config } = readConfig(
  { port: "7272" },
  { ROSTER_ADMIN_KEY: "rst_very-secret", ROSTER_LOG_LEVEL: "warn" },
);
const roster = await openTestAppliance({ config: { described: config.described } });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

const open = async (query = "") => (await boss.open(`/admin/settings${query}`)).text;

describe("the page of settings", () => {
  test("has every setting, under a heading that the list of contents leads to", async () => {
    const page = await open();
    const shown = readable(page);
    for (const { name, group, line = "" } of config.described) {
      expect(shown).toContain(` ${name} `);
      expect(page).toContain(`<code>${line}`.slice(0, 12));
      const id = group.toLowerCase().replaceAll(" ", "-");
      expect(page).toContain(`href="#${id}"`);
      expect(page).toContain(`id="${id}"`);
    }
    // A phone folds the groups up, but not what was searched for.
    expect(page).not.toContain('phone-fold" open');
    expect(await open("?q=backup")).toContain('phone-fold" open');
    expect(shown).toContain(`All (${config.described.length}) Changed (3)`);
    expect(page).not.toContain("very-secret");
    expect(shown).toContain("adminKey");
  });

  test("shows code as code, and what holds without a value in its place", async () => {
    const page = await open();
    expect(page).toContain("made by <code>roster key new</code>, instead");
    expect(readable(page)).not.toContain("`");
    expect(readable(page)).toContain(
      "tls.certFile File with the certificate chain for https, as PEM plain http ",
    );
  });

  test("finds settings by words of the name, the help and the variable", async () => {
    for (const [query, names] of [
      [
        "?q=BACKUP+keep",
        ["backup.keep", "backup.keepDaily", "backup.keepMonthly", "backup.keepWeekly"],
      ],
      ["?q=ROSTER_LOG", ["logLevel", "logFile"]],
      ["?q=half+a+moon", []],
      ["?q=very-secret", []],
      ["?changed", ["port", "adminKey", "logLevel"]],
      ["?changed&q=warn", ["logLevel"]],
    ] as const) {
      const page = await open(query);
      const found = [...page.matchAll(/class="setting-line"><code class="free">([\w.]+)</g)];
      expect([query, found.map(([, name]) => name).sort()]).toEqual([query, [...names].sort()]);
    }
    expect(readable(await open("?q=half+a+moon"))).toContain('No setting contains "half a moon".');
  });

  test("says where a value comes from, and what overrides the file", async () => {
    const page = readable(await open("?q=logLevel"));
    expect(page).toContain("warn variable ROSTER_LOG_LEVEL");
    expect(page).toContain("The variable ROSTER_LOG_LEVEL sets it and overrides the file.");
    expect(page).toContain('logLevel = "warn"');
  });
});
