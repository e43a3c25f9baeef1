/** How each setting is shown: under a heading, with a line that the settings file takes. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, settings } from "../../src/config/config.ts";

const data = mkdtempSync(join(tmpdir(), "roster-described-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const { described } = readConfig({ data }, {}).config;
/** Settings that are refused without another one, and that one. */
const companions: Readonly<Record<string, string>> = {
  "tls.certFile": 'keyFile = "/key.pem"',
  "tls.keyFile": 'certFile = "/cert.pem"',
  "mail.server": 'from = "roster@corp.example"',
};

function readFrom(text: string) {
  writeFileSync(join(data, "roster.toml"), text);
  return readConfig({ data }, {}).config.described;
}

describe("each setting", () => {
  test.each(described.map(({ name }) => [name]))("%s has a line that the file takes", (name) => {
    const shown = described.find((one) => one.name === name);
    const setting = settings.find(({ key }) => key === name);
    expect(shown?.group).toMatch(/^[A-Z][a-z -]+$/);
    const line = shown?.line ?? "";
    const read = readFrom(`${line}\n${companions[name] ?? ""}\n`).find((one) => one.name === name);
    if (name === "data") return;
    expect(read?.from).toBe(`file ${join(data, "roster.toml")}`);
    const { value } = shown ?? {};
    if (setting?.secret) expect(read?.value).toBe("****");
    else if (value === "true" || value === "false")
      expect(read?.value).toBe(String(value !== "true"));
    else expect(read?.value).toBe(value ?? setting?.example ?? "");
  });

  test("a line has the present value, and what is odd in it is quoted", () => {
    const odd = 'C:\\logs "of" Zoë\u007f\t.log';
    const text = `logFile = ${JSON.stringify(odd).replace("\x7f", "\\u007F")}\n`;
    const first = readFrom(text).find(({ name }) => name === "logFile");
    expect(first?.value).toBe(odd);
    expect(readFrom(`${first?.line}\n`).find(({ name }) => name === "logFile")?.value).toBe(odd);
  });

  test("a secret is in no line", () => {
    writeFileSync(join(data, "roster.toml"), "");
    const env = {
      ROSTER_ADMIN_KEY: "rst_very-secret",
      ROSTER_DATABASE_URL: "postgres://u:secret@h/d",
    };
    const { config } = readConfig({ data }, env);
    expect(JSON.stringify(config.described)).not.toContain("secret@");
    expect(JSON.stringify(config.described)).not.toContain("very-secret");
  });
});
