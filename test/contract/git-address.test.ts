/** Which texts are addresses of repositories, and what git and the file system are given of them. */
import { describe, expect, test } from "bun:test";
import { isGitAddress, parseGitAddress } from "../../src/contract/git-address.ts";

describe("an address", () => {
  test.each([
    ["https://github.com/acme/tool", "https://github.com/acme/tool", "github.com/acme/tool.git"],
    [
      "HTTPS://GitHub.com/acme/Tool.git/",
      "https://github.com/acme/Tool.git",
      "github.com/acme/Tool.git",
    ],
    ["https://h.example:3000/a/b", "https://h.example:3000/a/b", "h.example+3000/a/b.git"],
    ["https://[::1]:3000/a/b", "https://[::1]:3000/a/b", "[++1]+3000/a/b.git"],
    [
      "https://h.example/acme/.github",
      "https://h.example/acme/.github",
      "h.example/acme/.github.git",
    ],
    [
      "https://h.example/o/My%20P/_git/r",
      "https://h.example/o/My%20P/_git/r",
      "h.example/o/My%20P/_git/r.git",
    ],
    ["git@h.example:acme/tool.git", "git@h.example:acme/tool.git", "h.example/acme/tool.git"],
    ["git@H.example:/srv/tool", "git@h.example:/srv/tool", "h.example/srv/tool.git"],
    [
      "ssh://git@h.example:2222/acme/tool",
      "ssh://git@h.example:2222/acme/tool",
      "h.example+2222/acme/tool.git",
    ],
    [
      "ssh://ada@h.example/~/tool.git",
      "ssh://ada@h.example/~/tool.git",
      "ada@h.example/~/tool.git",
    ],
    ["http://h.example/a/b", "http://h.example/a/b", "h.example/a/b.git"],
    ["file:///srv/git/tool.git", "file:///srv/git/tool.git", "localhost/srv/git/tool.git"],
  ])("%s", (text, url, place) => {
    expect(isGitAddress(text)).toBe(true);
    expect(parseGitAddress(text, ["http", "file"])).toMatchObject({ url, place });
  });

  test.each([
    "/srv/tool",
    "tool",
    "../a:b",
    "./x",
    "~/mirrors",
    "C:/mirrors",
    "a/b@c:d",
    "--upload-pack=x",
  ])("%s is a path", (text) => expect(isGitAddress(text)).toBe(false));
});

const refusals: readonly (readonly [text: string, because: RegExp])[] = [
  ...[
    "ext::sh",
    "fd::17",
    "git://h.example/a/b",
    "ftp://h.example/a",
    "javascript://h/a",
    "https://h.example",
  ].map((text) => [text, /must begin with https:\/\/ or ssh:\/\/, or be USER@HOST:PATH$/] as const),
  ["http://h.example/a/b", /--allow http be given/],
  ["file:///srv/tool.git", /--allow file be given/],
  ...[
    "ext::sh -c id",
    "https://h.example/a b",
    "https://h.example/a\nb",
    "https://h.example/a\0b",
    "https://h.example/ä",
    `https://h.example/${"a".repeat(500)}`,
  ].map((text) => [text, /must have at most 500 letters of ASCII and no spaces/] as const),
  ...[
    "https://ada@h.example/a",
    "https://h.example/a@b",
    "ssh://git:x@h.example/a",
    "ada:x@h.example:a",
    "https:ada:x@h/a",
    "https://a@b:c@h.example/a",
  ].map((text) => [text, /must (have no password|begin with|end in)/] as const),
  ...[
    "ssh://-oProxyCommand=x/a",
    "git@-oProxyCommand=x:a",
    "https://-h/a",
    "https://h_/a",
    "https://h.example:99999/a",
    "file://h.example/a",
    "ssh://-l@h.example/a",
  ].map((text) => [text, /must have the name of a host/] as const),
  ...[
    "https://h.example/",
    "https://h.example/..",
    "https://h.example/../x",
    "https://h.example/a/./b",
    "https://h.example//a",
    "https://h.example/a%00b",
    "https://h.example/a%2fb",
    "https://h.example/%2e%2e/b",
    "https://h.example/-x",
    "git@h.example:-x",
    "https://h.example/.git",
    "https://h.example/a.git/b",
    "https://h.example/a?token=x",
    "https://h.example/a#b",
    "https://h.example/a\\b",
    `https://h.example/${"a".repeat(201)}`,
  ].map((text) => [text, /must end in the path of a repository/] as const),
];

describe("what is no address that git may get", () => {
  test.each(refusals)("%j", (text, because) => {
    const allowed = /^(http|file):\/\/(h.example\/a\/b|\/srv)/.test(text)
      ? []
      : (["http", "file"] as const);
    expect(() => parseGitAddress(text, allowed)).toThrow(because);
  });

  test("a password, a user and a query are not repeated", () => {
    for (const text of [
      "https://ada:s3cret@h.example/a",
      "https://s3cret@github.com/acme/tool",
      "https://ada:s3cret%40@h.example/a@b",
      "https://ada:x@s3cret@h.example/a",
      "ssh://git:s3cret@h.example/a",
      "ada:s3cret@h.example:a",
      "https:ada:s3cret@h.example/a",
      "ftp://ada:s3cret@h.example/a",
      "https://ada:s3cret/x@h.example/a",
      "https://h.example/a?private_token=s3cret",
      "https://h.example/a#s3cret",
      "https://ada:s3cret@h.example/a\n",
    ]) {
      expect(isGitAddress(text)).toBe(true);
      let said = "";
      try {
        parseGitAddress(text, ["http", "file"]);
      } catch (error) {
        said = String(error);
      }
      expect(said).toStartWith('Fault: the address "…'.slice(0, 20));
      expect(said).not.toContain("s3cret");
    }
  });
});
