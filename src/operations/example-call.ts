import { operations } from "./index.ts";
import type { Operation } from "./operation.ts";

/** Formats the first operation's example as a curl command, in parts that go on one line or on several. */
export function formatExampleCall(address: string, key: string): readonly string[] {
  const [{ path, example }] = operations as [Operation];
  return [
    `curl -s ${address}${path}`,
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify(example)}'`,
  ];
}
