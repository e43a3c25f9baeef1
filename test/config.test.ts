import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, ConfigFault, readConfig } from "../src/config/config.ts";

const data = mkdtempSync(join(tmpdir(), "roster-config-"));
writeFileSync(join(data, "roster.toml"), 'port = 3\nhost = "127.0.0.3"\nlogLevel = "warn"\n');
const secret = join(data, "secret");
writeFileSync(secret, "rst_from_file\n");

describe("readConfig", () => {
  test("flag over environment over file over default", () => {
    const env = { ROSTER_PORT: "2", ROSTER_HOST: "127.0.0.2" };
    const { config } = readConfig({ data, port: "1" }, env);
    expect(config).toMatchObject({ port: 1, host: "127.0.0.2", logLevel: "warn", demo: true });
  });

  test("a secret may stand in a file that a variable names", () => {
    expect(readConfig({}, { ROSTER_ADMIN_KEY_FILE: secret }).config.adminKey).toBe("rst_from_file");
  });

  test("the public address follows host and port unless given", () => {
    expect(readConfig({ host: "0.0.0.0", port: "80" }, {}).config.publicUrl).toBe(
      "http://localhost:80",
    );
    const given = readConfig({ publicUrl: "https://roster.example/api/" }, {}).config.publicUrl;
    expect(given).toBe("https://roster.example/api");
    expect(addressOf("::1", 5)).toBe("http://[::1]:5");
  });

  test.each([
    [{ port: "70000" }, {}, "port (flag --port) must be a whole number from 0 to 65535"],
    [{}, { ROSTER_PORT: "x" }, "port (environment ROSTER_PORT) must be"],
    [{}, { ROSTER_PROT: "1" }, "did you mean ROSTER_PORT?"],
    [{ publicUrl: "ftp://x" }, {}, "http or https"],
    [{ config: join(data, "none.toml") }, {}, "does not exist"],
    [{}, { ROSTER_ADMIN_KEY_FILE: join(data, "none") }, "does not exist"],
    [{ config: data }, {}, "cannot be read"],
    [{}, { ROSTER_ADMIN_KEY_FILE: data }, "cannot be read"],
    [{ logLevel: "loud" }, {}, "one of debug"],
  ] as [Record<string, string>, Record<string, string>, string][])(
    "%j %j is refused in words",
    (flags, env, words) => {
      expect(() => readConfig(flags, env)).toThrow(ConfigFault);
      expect(() => readConfig(flags, env)).toThrow(words);
    },
  );

  test("no error shows a secret", () => {
    try {
      readConfig({}, { ROSTER_ADMIN_KEY: "   " });
      throw new Error("a blank key was taken");
    } catch (error) {
      expect((error as Error).message).toContain("adminKey (environment ROSTER_ADMIN_KEY)");
    }
  });
});
