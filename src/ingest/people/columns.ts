/** The columns that a people file may have, and their alternative names. */

const aliasesByColumn = {
  email: [
    "emails",
    "mail",
    "emailaddress",
    "workemail",
    "emailwork",
    "primaryemail",
    "proxyaddresses",
  ],
  login: ["logins", "account", "accounts"],
  name: ["displayname", "fullname", "cn"],
  location: [],
  city: ["l"],
  region: ["state", "province", "st"],
  country: ["co", "c"],
  company: ["organization", "organisation", "o"],
  title: ["jobtitle"],
  url: ["website", "homepage", "labeleduri"],
  bio: ["about"],
  hireable: [],
  publishEmail: [],
} as const satisfies Record<string, readonly string[]>;

export type Column = keyof typeof aliasesByColumn;
export const columns = Object.keys(aliasesByColumn) as readonly Column[];

const columnByName = new Map(
  columns.flatMap((column) =>
    [column, ...aliasesByColumn[column]].map((name) => [fold(name), column] as const),
  ),
);

/** Normalizes a column's name: `E-Mail [Required]` becomes `email`. */
function fold(name: string): string {
  const own = name.replace(/\[[^\][]*\]|\([^()]*\)/g, "");
  return own.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

export function findColumn(name: string): Column | undefined {
  return columnByName.get(fold(name));
}

/** The trimmed cells of a row. Blank cells are left out. */
export type Cells = ReadonlyMap<Column, string>;

/** Adds a cell. If several columns mean `email` or `login`, keeps all their texts. For other columns, keeps the first text. */
export function addCell(cells: Map<Column, string>, column: Column, text: string): void {
  const trimmed = text.trim();
  const known = cells.get(column);
  if (trimmed === "") return;
  if (known === undefined) cells.set(column, trimmed);
  else if (column === "email" || column === "login") cells.set(column, `${known} ${trimmed}`);
}
