import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readPeopleFile } from "../../../src/ingest/people/read-people-file.ts";
import { rounds } from "../../long.ts";
import { makeFolder } from "../../temporary-folder.ts";

const folder = makeFolder("people");

async function read(content: string | Uint8Array, format: "csv" | "jsonl" = "csv") {
  const path = join(folder, "list");
  writeFileSync(path, content);
  return readPeopleFile(path, format, "people:list");
}

const places = async (content: string | Uint8Array, format?: "csv" | "jsonl") =>
  (await read(content, format)).rows.map(({ line, supplement: { profile, emails } }) => [
    line,
    emails.map(({ address }) => address).join(" "),
    profile.location,
  ]);

const twoRows = [
  [2, "ada@example.com", "Berlin, DE"],
  [3, "ben@example.org", "Oslo"],
];

test("is read in the encoding and by the columns that were named, and refused in words that name them", async () => {
  const text = "Dienstpost;Standort;Name\nada@example.com;Zürich – Höngg;Ada Muster\n";
  const path = join(folder, "list");
  const meanings = new Map([
    ["Dienstpost", "email"],
    ["Standort", "location"],
  ] as const);
  const windows = Buffer.from(text.replace("–", "\x96"), "latin1");
  const wide = Buffer.from(text, "utf16le");
  for (const [encoding, bytes] of [
    ["windows-1252", windows],
    ["utf-16le", wide],
  ] as const) {
    writeFileSync(path, bytes);
    const { rows } = await readPeopleFile(path, "csv", "people:list", { encoding, meanings });
    const [{ supplement } = { supplement: { profile: {} } }] = rows;
    expect(supplement.profile).toMatchObject({ location: "Zürich – Höngg", name: "Ada Muster" });
    const refused = readPeopleFile(path, "csv", "people:list", { meanings });
    await expect(refused).rejects.toThrow(`--encoding ${encoding}`);
  }
  await expect(read(text)).rejects.toThrow('only "Dienstpost","Standort","Name"');
  await expect(read(text)).rejects.toThrow("--map NAME=email");
  await expect(read("email^location\n")).rejects.toThrow('only "email^location"');
  await expect(read("PK\u0003\u0004 and more")).rejects.toThrow("save the sheet as CSV");
});

const wideRows = "\ufeffemail,location\r\nada@example.com,Zürich\r\n";
const wideBytes = Buffer.from(wideRows, "utf16le");

test.each([
  ["a delimiter that Excel states", "sep=;\r\nemail;location\r\nada@example.com;Zürich\r\n", 3],
  ["a delimiter that no other file has", "sep=^\nemail^location\nada@example.com^Zürich\n", 3],
  [
    "the type that PowerShell states",
    '#TYPE A.B\r\n"mail","city"\r\n"ada@example.com","Zürich"\r\n',
    3,
  ],
  ["blank lines before the columns", "\n\nemail;location\nada@example.com;Zürich\n", 4],
  ["bars", "email|location\nada@example.com|Zürich\n", 2],
  ["UTF-16 with a mark", wideBytes, 2],
  ["UTF-16 with a mark, the other way round", Buffer.from(wideBytes).swap16(), 2],
  ["texts that Excel keeps as they are", 'email;location\n="ada@example.com";="Zürich"\n', 2],
  ["columns with notes", "Email Address [Required],Location (office)\nada@example.com,Zürich\n", 2],
  ["an old end of file", "email,location\nada@example.com,Zürich\u001a", 2],
])("is read with %s", async (_, content, line) => {
  expect(await places(content)).toEqual([[line, "ada@example.com", "Zürich"]]);
});

test.each([
  ["Ada Example <ada@example.com>", "ada@example.com"],
  ['"Example, Ada" <ada@example.com>; Ada <ada@example.org>', "ada@example.com ada@example.org"],
  ["<ada@example.com>, <ada@example.org>", "ada@example.com ada@example.org"],
  ["mailto:ada@example.com", "ada@example.com"],
  ["SMTP:ada@example.com;smtp:ada@example.org;SIP:a@b.c", "ada@example.com ada@example.org"],
  ["smtp:ada@example.com smtp:ada@example.org", "ada@example.com ada@example.org"],
  ["X500:/o=Example/cn=Ada Example|SMTP:ada@example.com", "ada@example.com"],
])("takes the addresses from %p", async (cell, addresses) => {
  const text = `proxyAddresses,location\n"${cell.replaceAll('"', '""')}",Oslo\n`;
  expect(await places(text)).toEqual([[2, addresses, "Oslo"]]);
});

test("says of a cell that holds something else what it is", async () => {
  for (const cell of ["ada at example.com", "ben@example.org Ada <ada@example.com>", "ada@@x"]) {
    const { rows, rejections } = await read(`email,location\n${cell},Oslo\n`);
    expect(rows).toEqual([]);
    expect(rejections).toMatchObject([{ line: 2, field: "email" }]);
  }
});

test.each([
  ["commas", 'email,location\nada@example.com,"Berlin, DE"\nben@example.org,Oslo\n'],
  ["semicolons", "email;location\nada@example.com;Berlin, DE\nben@example.org;Oslo\n"],
  ["tabs", "email\tlocation\nada@example.com\tBerlin, DE\nben@example.org\tOslo"],
  [
    "Windows line ends and a byte order mark",
    '\uFEFFemail;location\r\nada@example.com;"Berlin, DE"\r\nben@example.org;Oslo\r\n',
  ],
  ["line ends of old", "email;location\rada@example.com;Berlin, DE\rben@example.org;Oslo"],
  ["any order", "location;email\nBerlin, DE;ada@example.com\nOslo;BEN@example.org \n"],
  ["names of a directory", "L;mail\nBerlin, DE;ada@example.com\nOslo;ben@example.org\n"],
  [
    "rows of nothing at the end",
    "email;l\nada@example.com;Berlin, DE\nben@example.org;Oslo\n;\n\n",
  ],
  ["gzip", gzipSync("email;l\nada@example.com;Berlin, DE\nben@example.org;Oslo\n")],
])("CSV with %s", async (_, content) => {
  expect(await places(content)).toEqual(twoRows);
});

test("JSONL, with texts and lists", async () => {
  const content =
    '\n{"email":"ada@example.com","location":"Berlin, DE","salary":{"of":1}}\n' +
    '{"Mail":["ben@example.org"],"city":"Oslo","title":null}\n{"email":7}\n[]\n{\n';
  expect(await places(content, "jsonl")).toEqual([
    [2, "ada@example.com", "Berlin, DE"],
    [3, "ben@example.org", "Oslo"],
  ]);
  const { count, rejections, unknownColumns } = await read(content, "jsonl");
  expect(count).toBe(5);
  expect(unknownColumns).toEqual(["salary"]);
  expect(rejections.map(({ line }) => line)).toEqual([4, 5, 6]);
});

test("lines are counted through cells of several lines", async () => {
  const content = 'email,bio\r\n\r\na@example.com,"one\r\n\r\nthree"\r\n\r\nb@example.com,x\r\n';
  expect((await read(content)).rows.map(({ line }) => line)).toEqual([3, 7]);
});

test("several addresses and logins stand in one cell, or in several columns", async () => {
  const content =
    "email;proxy;mail;login\na@example.com b@example.com;x;c@example.com;@Ada https://GitHub.com/ada/\n" +
    '"d@example.com; e@example.com";;;\nroot@localhost;;;GitLab.example/eve\n';
  const { rows } = await read(content);
  const found = rows.map(({ supplement: { emails, logins } }) =>
    [...emails.map(({ address }) => address), "|", ...logins].join(" "),
  );
  expect(found).toEqual([
    "a@example.com b@example.com c@example.com | ada ada@github.com",
    "d@example.com e@example.com |",
    "| eve@gitlab.example",
  ]);
});

test("title and bio are read as one text, and yes and no in both spellings", async () => {
  const content =
    "email,title,bio,hireable,publishEmail\na@example.com,CTO.,Likes trains.,Yes,TRUE\n" +
    "b@example.com,CTO,,0,no\nc@example.com,,Likes trains.,,\n";
  const { rows } = await read(content);
  const found = rows.map(({ supplement: { profile, emails } }) => [profile, emails[0]?.published]);
  expect(found).toEqual([
    [{ bio: "CTO. Likes trains.", hireable: true }, true],
    [{ bio: "CTO", hireable: false }, false],
    [{ bio: "Likes trains." }, false],
  ]);
});

test("a place may be one column or three, of which the widest says which city is meant", async () => {
  const content =
    "mail,City,State,Country,location\na@example.com,Paris,Texas,US,\nb@example.com,Paris,,FR,\n" +
    'c@example.com,Paris,,FR,"Lyon, FR"\n';
  const found = (await places(content)).map(([, , location]) => location);
  expect(found).toEqual(["Paris, Texas, US", "Paris, FR", "Lyon, FR"]);
});

test("texts too long, with control characters or halves of letters, are named by row", async () => {
  const line = (bio: string) => `${JSON.stringify({ email: "a@example.com", bio })}\n`;
  const content = line("x".repeat(10_001)) + line("a\u0007b") + line("\ud800");
  const { rows, rejections } = await read(content, "jsonl");
  expect(rows).toEqual([]);
  expect(rejections.map(({ field }) => field)).toEqual(["bio", "bio", "bio"]);
});

test("whatever the cells hold, a table written by the rules is read back", async () => {
  const cell = fc.stringMatching(/^[A-Za-z0-9 ,;"'\n\t.äß-]{0,20}$/).map((text) => text.trim());
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n"),
      async (texts, delimiter, end) => {
        const rows = texts.map((text, at) => [`p${at}@example.com`, quote(text)].join(delimiter));
        const { rows: got } = await read([["email", "bio"].join(delimiter), ...rows, ""].join(end));
        expect(got.map(({ supplement }) => supplement.profile.bio ?? "")).toEqual(texts);
        let line = 2;
        for (const [at, { line: found }] of got.entries()) {
          expect(found).toBe(line);
          line += (texts[at] ?? "").split("\n").length;
        }
      },
    ),
    { numRuns: rounds(60) },
  );
});
