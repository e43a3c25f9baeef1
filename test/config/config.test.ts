import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateHybridIdentity, generateIdentity, identityToRecipient } from "age-encryption";
import {
  getServiceUrl,
  readConfig,
  readMailAccess,
  readS3Access,
  settings,
} from "../../src/config/config.ts";
import { serviceSettings } from "../../src/config/settings.ts";
import { Fault } from "../../src/contract/fault.ts";

const data = mkdtempSync(join(tmpdir(), "roster-config-"));
writeFileSync(join(data, "roster.toml"), 'port = 3\nhost = "127.0.0.3"\nlogLevel = "warn"\n');
const secret = join(data, "secret");
writeFileSync(secret, "rst_from_file\n");

const privateKey = "AGE-SECRET-KEY-1INVENTED";
const exampleRecipient = settings.find(({ key }) => key === "backup.recipients")?.example ?? "";

describe("readConfig", () => {
  test("flag over environment over file over default", () => {
    const env = { ROSTER_PORT: "2", ROSTER_HOST: "127.0.0.2" };
    const { config } = readConfig({ data, port: "1" }, env);
    expect(config).toMatchObject({ port: 1, host: "127.0.0.2", logLevel: "warn", demo: true });
  });

  test("a secret may stand in a file that a variable names", () => {
    expect(readConfig({}, { ROSTER_ADMIN_KEY_FILE: secret }).config.adminKey).toBe("rst_from_file");
    const url = "postgres://roster:secret-word@db.example.com/roster?sslmode=verify-full";
    writeFileSync(secret, `${url}\n`);
    const { config } = readConfig({}, { ROSTER_DATABASE_URL_FILE: secret });
    expect(config.database).toEqual({ url, connections: 10 });
    expect(JSON.stringify(config.described)).not.toContain("secret-word");
    writeFileSync(secret, "rst_from_file\n");
  });

  test("the public address follows host and port unless given", () => {
    expect(readConfig({ host: "0.0.0.0", port: "80" }, {}).config.publicUrl).toBe(
      "http://localhost:80",
    );
    const given = readConfig({ publicUrl: "https://roster.example/api/" }, {}).config.publicUrl;
    expect(given).toBe("https://roster.example/api");
    const plain = { certFile: undefined, keyFile: undefined };
    expect(getServiceUrl({ host: "::1", port: 5, tls: plain })).toBe("http://[::1]:5");
    const tls = { "tls.certFile": "c.pem", "tls.keyFile": "k.pem" };
    expect(readConfig(tls, {}).config.publicUrl).toBe("https://127.0.0.1:7171");
    expect(readConfig({ host: "unix:/run/r.sock" }, {}).config.publicUrl).toBe("http://localhost");
  });

  test("half of a certificate and its key is refused", () => {
    const half = () => readConfig({ "tls.keyFile": "k.pem" }, {});
    expect(half).toThrow("tls.keyFile is set: set tls.certFile too.");
  });

  test("mail needs a sender, and takes a password from a variable", () => {
    const server = { "mail.server": "smtp://mail.example" };
    expect(() => readConfig(server, {})).toThrow("mail.server is set: set mail.from too.");
    const sent = { ...server, "mail.from": "roster@corp.example" };
    const user = { ...sent, "mail.user": "roster" };
    const access = { url: "smtp://mail.example", from: "roster@corp.example" };
    expect(readMailAccess(readConfig(sent, {}).config)).toEqual(access);
    const { config } = readConfig(user, { ROSTER_MAIL_PASSWORD: "secret word" });
    const auth = { user: "roster", pass: "secret word" };
    expect(readMailAccess(config)).toEqual({ ...access, auth });
    expect(JSON.stringify(config.described)).not.toContain("secret word");
    expect(readMailAccess(readConfig({}, {}).config)).toBeUndefined();
  });

  test("S3 needs a key and TLS, and its secret is read at each use", () => {
    const access = (given: Record<string, string>, env: Record<string, string> = {}) =>
      readS3Access(readConfig(given, env).config);
    const key = { "s3.keyId": "key" };
    const secret = { ROSTER_S3_SECRET: "invented secret" };
    expect(() => access(key)).toThrow("needs s3.keyId and s3.secretFile");
    expect(() => access({}, secret)).toThrow("needs s3.keyId and s3.secretFile");
    expect(access(key, secret)).toEqual({
      ...{ endpoint: "https://s3.us-east-1.amazonaws.com", region: "us-east-1" },
      ...{ keyId: "key", secret: "invented secret" },
    });
    const plain = { ...key, "s3.endpoint": "http://s3.corp.example" };
    expect(() => access(plain, secret)).toThrow("s3.endpoint must begin with https");
    expect(access({ ...plain, "s3.allowHttp": "true" }, secret).endpoint).toBe(
      "http://s3.corp.example",
    );
    expect(access({ ...key, "s3.endpoint": "http://127.0.0.1:9000" }, secret).region).toBe(
      "us-east-1",
    );
    const path = join(data, "s3.secret");
    writeFileSync(path, "from a file\n", { mode: 0o644 });
    expect(() => access({ ...key, "s3.secretFile": path })).toThrow("set its mode to 0600");
    chmodSync(path, 0o600);
    expect(access({ ...key, "s3.secretFile": path }).secret).toBe("from a file");
  });

  test("the password of mail is read at each use, and refused while others can read it", () => {
    const path = join(data, "mail.password");
    writeFileSync(path, "pass word\n", { mode: 0o600 });
    const flags = {
      ...{ "mail.server": "smtps://[::1]", "mail.from": "roster@corp.example" },
      ...{ "mail.user": "roster", "mail.passwordFile": path },
    };
    const { config } = readConfig(flags, {});
    const read = () => readMailAccess(config)?.auth?.pass;
    expect(readMailAccess(config)).toMatchObject({ url: "smtps://[::1]" });
    expect(read()).toBe("pass word");
    writeFileSync(path, "new one");
    expect(read()).toBe("new one");
    chmodSync(path, 0o644);
    expect(read).toThrow(`${path} contains a password, and other users can read it`);
  });

  test("an index in the database is refused where there is none", () => {
    const env = { ROSTER_SEARCH_ENGINE: "database" };
    expect(() => readConfig({}, env)).toThrow("set database.url too");
    const both = { ...env, ROSTER_DATABASE_URL: "postgres://roster@db.example/roster" };
    expect(readConfig({}, both).config.search.engine).toBe("database");
    // With a flag, a server could search one index while commands erase from the other.
    expect(settings.find(({ key }) => key === "search.engine")?.flag).toBeUndefined();
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
    [{}, { ROSTER_SEARCH_ENGINE: "bitmaps" }, "one of memory, database"],
    [{}, { ROSTER_BACKUP_RECIPIENTS: "age1x" }, "public keys of age"],
    [{}, { ROSTER_BACKUP_RECIPIENTS: `${exampleRecipient.slice(0, -1)}x` }, "public keys of age"],
    [{}, { ROSTER_BACKUP_RECIPIENTS: `${exampleRecipient},${privateKey}` }, "public keys"],
  ] as [Record<string, string>, Record<string, string>, string][])(
    "%j %j is refused in words",
    (flags, env, words) => {
      expect(() => readConfig(flags, env)).toThrow(Fault);
      expect(() => readConfig(flags, env)).toThrow(words);
    },
  );

  test("recipients of backups are keys of age of either kind, none by default", async () => {
    expect(readConfig({}, {}).config.backup.recipients).toBeUndefined();
    const keys = await Promise.all(
      [await generateIdentity(), await generateHybridIdentity()].map(identityToRecipient),
    );
    const env = { ROSTER_BACKUP_RECIPIENTS: keys.join(", ") };
    expect(readConfig({}, env).config.backup.recipients).toEqual(keys);
  });

  test("a private key in the place of a public one is not repeated", () => {
    const read = () => readConfig({}, { ROSTER_BACKUP_RECIPIENTS: privateKey });
    expect(read).toThrow(/^((?!INVENTED).)*$/);
  });

  test("proxies are addresses and networks, none by default", () => {
    expect(readConfig({}, {}).config.trustedProxies).toEqual([]);
    const env = { ROSTER_TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
    expect(readConfig({}, env).config.trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
    for (const wrong of ["10.0.0.0/33", "proxy.local", "10.0.0.1/", "10.0.0.1/8/8", ","]) {
      expect(() => readConfig({ trustedProxies: wrong }, {})).toThrow("addresses or networks");
    }
    const file = join(data, "list.toml");
    writeFileSync(file, 'trustedProxies = ["10.0.0.0/8", "::1"]\n');
    const { config } = readConfig({ config: file }, {});
    expect(config.trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
  });

  test("private redirects are addresses in full, Cursor's by default, none where it says so", () => {
    const read = (text: string) =>
      readConfig({ "assistants.privateRedirects": text }, {}).config.assistants.privateRedirects;
    expect(readConfig({}, {}).config.assistants).toEqual({
      privateRedirects: ["cursor://anysphere.cursor-mcp/oauth/callback"],
      registrationsPerHour: 20,
    });
    expect(read("none")).toEqual([]);
    const two = ["cursor://a/b", "com.example.app:/callback"];
    expect(read(two.join(", "))).toEqual(two);
    for (const wrong of ["https://a.example/", "javascript:alert(1)", "cursor", "cursor://a/#b"]) {
      expect(() => read(wrong)).toThrow("addresses with a private scheme");
    }
    const file = join(data, "redirects.toml");
    writeFileSync(file, `[assistants]\nprivateRedirects = ${JSON.stringify(two)}\n`);
    expect(readConfig({ config: file }, {}).config.assistants.privateRedirects).toEqual(two);
  });

  test("docs/settings.md has every setting with its flag, variable and default", () => {
    const page = readFileSync(join(import.meta.dir, "../../docs/settings.md"), "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("|"));
    for (const { key, flag = "", takes, env, default: fallback } of [
      ...settings,
      ...serviceSettings,
    ]) {
      const row = rows.find((line) => line.includes(`\`${env}\``)) ?? "";
      if (settings.some((setting) => setting.key === key)) expect(row).toContain(`\`${key}\``);
      expect(row).toContain(takes && flag ? `\`${flag} ${takes}\`` : flag);
      if (fallback !== undefined) expect(row).toContain(`\`${fallback}\``);
    }
  });

  describe("providers of single sign-on", () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-config-"));
    writeFileSync(join(folder, "client-secret"), "hush\n");
    const read = (text: string) => {
      writeFileSync(join(folder, "roster.toml"), text);
      return readConfig({ data: folder }, {}).config.signIn.providers;
    };
    const house =
      '[[signIn.providers]]\nid = "house"\nname = "House login"\ndomains = ["Example.com"]\n';
    const oidc =
      'issuer = "https://id.example.com"\nclientId = "roster"\nclientSecretFile = "client-secret"\n';

    test("are tables of the file; their secrets are files beside it", () => {
      const plans = 'planClaim = "groups"\n[signIn.providers.plans]\nstaff = "pro"\n';
      expect(read(`port = 1\n${house}${oidc}${plans}`)).toEqual([
        {
          ...{
            id: "house",
            name: "House login",
            domains: ["example.com"],
            administrators: false,
            plan: "free",
          },
          ...{ planClaim: "groups", plans: { staff: "pro" } },
          protocol: {
            ...{ kind: "oidc", issuer: "https://id.example.com" },
            ...{ clientId: "roster", clientSecret: "hush" },
          },
        },
      ]);
      expect(read(`[signIn]\nsignUp = "open"\n`)).toEqual([]);
    });

    test("of SAML may name the attribute of the e-mail", () => {
      writeFileSync(join(folder, "idp.xml"), "<md/>");
      const [provider] = read(`${house}metadataFile = "idp.xml"\nemailAttribute = "mail"\n`);
      expect(provider?.protocol).toEqual({
        ...{ kind: "saml", metadata: "<md/>", emailAttribute: "mail" },
      });
    });

    test.each([
      [`${house}metadataFile = "client-secret"\nemailAttribute = ""`, "emailAttribute must be"],
      [`${house}`, "issuer must be an https address (or metadataFile, for SAML)"],
      [`${house}${oidc}plan = "gold"`, "plan must be one of free, pro, enterprise"],
      [`${house}${oidc}plans = { staff = "gold" }`, "plans.staff must be one of"],
      [`${house}${oidc}administrators = "yes"`, "administrators must be true or false"],
      [`${house}${oidc}domain = "x"`, 'unknown setting "domain"; did you mean "domains"?'],
      [`${house}metadataFile = "none.xml"`, "metadataFile must be the path of a file"],
      [`${house}${oidc}${house}${oidc}`, 'the id "house" is used twice'],
      ['[[signIn.providers]]\nname = "x"', "domains must be a list"],
      ['[[signIn.providers]]\nid = "A b"\ndomains = ["b.c"]', "id must be small letters"],
      ['signIn = { providers = "house" }', "must be written as [[signIn.providers]]"],
    ])("%j is refused in words", (text, words) => {
      expect(() => read(text)).toThrow(Fault);
      expect(() => read(text)).toThrow(words);
    });
  });

  describe("copies of backups", () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-copies-"));
    const read = (text: string) => {
      writeFileSync(join(folder, "roster.toml"), text);
      return readConfig({ data: folder }, {}).config.backup;
    };
    const table = '[[backup.copies]]\nid = "away"\n';
    const to = 'to = "s3://bucket/roster"\n';
    const verbs = ["write", "read", "list", "remove"].map((verb) => `${verb} = ["sh", "{name}"]`);
    const commands = verbs.join("\n");

    test("are tables of the file, with an address or commands", () => {
      const { copies, keep } = read(`[backup]\nkeep = 3\n${table}${to}keepDaily = 30\n`);
      expect(keep).toBe(3);
      expect(copies).toEqual([{ id: "away", to: "s3://bucket/roster", keepDaily: 30 }]);
      const command = ["sh", "{name}"];
      expect(read(`${table}${commands}`).copies).toEqual([
        { id: "away", write: command, read: command, list: command, remove: command },
      ]);
      expect(read("[backup]\nkeep = 3").copies).toEqual([]);
    });

    test.each([
      [`${table}`, "write must be a list"],
      [`${table}${to}${commands}`, "write and to are two places: use one of them"],
      [`${table}to = "https://bucket"`, "to must be an address such as s3://bucket/folder"],
      [`${table}${verbs[0]}`, "read must be a list"],
      [`${table}${to}keep = 0`, "keep must be a whole number from 1 to 10000"],
      [`${table}${to}keepDayly = 3`, 'did you mean "keepDaily"?'],
      [`${table}${to}${table}${to}`, 'the id "away" is used twice'],
      ['[backup]\ncopies = "s3://bucket"', "must be written as [[backup.copies]]"],
    ])("%j is refused in words", (text, words) => {
      expect(() => read(text)).toThrow(Fault);
      expect(() => read(text)).toThrow(words);
    });
  });

  describe("who is told", () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-notify-"));
    const read = (text: string) => {
      writeFileSync(join(folder, "roster.toml"), text);
      return readConfig({ data: folder }, {}).config.notify;
    };
    const table = '[[notify]]\nid = "ops"\n';
    const to = 'to = "mailto:ops@corp.example"\n';
    const command = 'command = ["/usr/local/bin/page"]\n';

    test("is in tables of the file, with all events unless it says which", () => {
      expect(read(`${table}${to}events = ["disk"]`)).toEqual([
        { id: "ops", to: "mailto:ops@corp.example", events: ["disk"] },
      ]);
      const [paged] = read(`${table}${command}`);
      expect([paged?.command, paged?.events.length]).toEqual([["/usr/local/bin/page"], 8]);
      expect(read("port = 1")).toEqual([]);
    });

    test.each([
      [table, "set either to or command"],
      [`${table}${to}${command}`, "set either to or command"],
      [`${table}to = "ops@corp.example"`, "to must be an address such as https://"],
      [`${table}to = "https://user:word@hooks.corp.example"`, "to must be an address"],
      [`${table}to = "mailto:a@b.example,c@d.example"`, "to must be an address"],
      [`${table}command = []`, "command must be a list"],
      [`${table}${to}events = ["discs"]`, "events[0] must be one of backup, disk"],
      [`${table}${to}event = ["disk"]`, 'did you mean "events"?'],
    ])("%j is refused in words", (text, words) => {
      expect(() => read(text)).toThrow(Fault);
      expect(() => read(text)).toThrow(words);
    });
  });

  test("no error shows a secret", () => {
    try {
      readConfig({}, { ROSTER_ADMIN_KEY: "   " });
      throw new Error("a blank key was taken");
    } catch (error) {
      expect((error as Error).message).toContain("adminKey (environment ROSTER_ADMIN_KEY)");
    }
    const wrong = { ROSTER_DATABASE_URL: "mysql://roster:secret-word@host/roster" };
    const words =
      "database.url (environment ROSTER_DATABASE_URL) must be an address of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE";
    expect(() => readConfig({}, wrong)).toThrow(new Fault("configuration", words));
  });
});
