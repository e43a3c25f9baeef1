import { operations } from "./index.ts";
import type { Operation } from "./operation.ts";

/** The first operation's own example, ready to paste: the parts of one command, for a line or for several. */
export function formatExampleCall(address: string, key: string): readonly string[] {
  const [{ path, example }] = operations as [Operation];
  return [
    `curl -s ${address}${path}`,
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify(example)}'`,
  ];
}
