import { operations } from "./index.ts";
import type { Operation } from "./operation.ts";

/** @returns the parts of a curl command that calls the first operation with its example. */
export function formatExampleCall(address: string, key: string): readonly string[] {
  const [first] = operations as [Operation];
  return formatCall(first, first.example, { address, key });
}

/** @returns the parts of a curl command, quoted so that any input is safe in a shell. */
export function formatCall(
  { method, path }: Pick<Operation, "method" | "path">,
  input: object,
  { address, key }: { readonly address: string; readonly key: string },
): readonly string[] {
  const header = `-H "X-Api-Key: ${key}"`;
  if (method === "GET") return [`curl -s ${quote(address + formatPath(path, input))}`, header];
  return [
    `curl -s ${address}${path}`,
    header,
    '-H "Content-Type: application/json"',
    `-d ${quote(JSON.stringify(input))}`,
  ];
}

/** Fills fields into the path. All other fields become the query. */
export function formatPath(path: string, input: object): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const text = String(value);
    if (filled.includes(`:${field}`)) {
      filled = filled.replace(`:${field}`, () => encodeURIComponent(text));
    } else query.set(field, text);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
