import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { probeAddress } from "../../../src/ingest/probe/probe-address.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const secret = "secret-token";

const probe = (address: string, token: string | undefined = secret) =>
  probeAddress({ address, token, home: join(newFolder(), "mirrors"), timeoutMs: 2000 });

describe("an address", () => {
  test.each([
    ["", "This is no address that Roster can ask."],
    ["not an address", "This is no address that Roster can ask."],
    ["--upload-pack=touch", "This is no address that Roster can ask."],
    ["ext::sh -c touch%20/tmp/x", "must have at most 500 letters of ASCII and no spaces"],
    ["ext::sh", "must begin with https:// or ssh://"],
    ["file:///etc", "must begin with https:// or ssh://"],
    ["git://git.example/acme/tool", "must begin with https:// or ssh://"],
    ["ssh://-oProxyCommand=touch/acme/tool", "must have the name of a host"],
    [`https://ada:${secret}@git.example/acme`, "An address has no user and no password."],
    [`ssh://ada:${secret}@git.example/acme/tool`, "must have no password"],
    ["169.254.169.254/acme", "169.254.169.254 is a link-local address."],
    ["http://0xA9FEA9FE/", "169.254.169.254 is a link-local address."],
    ["https://[fe80::1]/acme", "[fe80::1] is a link-local address."],
    ["https://[::ffff:169.254.1.1]/acme", "is a link-local address."],
    ["git@169.254.1.1:acme/tool", "169.254.1.1 is a link-local address."],
    ["http://127.0.0.1:1/acme", "127.0.0.1:1 refuses the connection."],
    ["git.invalid/acme", "No server has the name git.invalid."],
  ])("%s is refused in words", async (address, words) => {
    const finding = await probe(address);
    expect(finding).toMatchObject({ ok: false, field: "address" });
    if (finding.ok) return;
    expect(finding.message).toContain(words);
    expect(finding.message).not.toContain(secret);
  });
});
