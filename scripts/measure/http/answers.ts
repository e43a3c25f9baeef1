/** Records what Roster answers to the requests of a case, for a bare server to repeat. */
import type { LoadRequest } from "./load.ts";

export interface Answered {
  readonly status: number;
  /** Without the headers that every server sets by itself. */
  readonly headers: [name: string, value: string][];
  readonly body: string;
}

const own = new Set(["date", "content-length", "connection", "transfer-encoding"]);

export async function ask(
  address: string,
  { method, path, headers, body }: LoadRequest,
): Promise<Answered> {
  const init = { method, headers: { ...headers, "accept-encoding": "identity" } };
  const response = await fetch(`${address}${path}`, body === undefined ? init : { ...init, body });
  const text = await response.text();
  const fields = [...response.headers].filter(([name]) => !own.has(name));
  return { status: response.status, headers: fields, body: text };
}

/** @throws when a bare server sends other headers, or bodies of other lengths. */
export function assertAlike(roster: readonly Answered[], bare: readonly Answered[]): void {
  const shape = ({ status, headers, body }: Answered) =>
    `${status} ${headers
      .map(([name]) => name)
      .sort()
      .join()} ${body.length}`;
  const theirs = bare.map(shape).sort();
  for (const [at, ours] of roster.map(shape).sort().entries()) {
    if (ours !== theirs[at]) throw new Error(`Roster sends ${ours}, bare ${theirs[at]}`);
  }
}
