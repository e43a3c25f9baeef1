import { operations } from "./index.ts";
import type { Operation } from "./operation.ts";

/** Formats the first operation's example as a curl command, in parts that go on one line or on several. */
export function formatExampleCall(address: string, key: string): readonly string[] {
  const [first] = operations as [Operation];
  return formatCall(first, first.example, { address, key });
}

/** Formats a call of an operation that takes a body; the shell reads it as it stands, whatever the input contains. */
export function formatCall(
  { path }: Pick<Operation, "path">,
  input: unknown,
  { address, key }: { readonly address: string; readonly key: string },
): readonly string[] {
  return [
    `curl -s ${address}${path}`,
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify(input).replaceAll("'", `'\\''`)}'`,
  ];
}
