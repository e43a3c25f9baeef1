/**
 * Calls one after the other over one connection. They are sent whole or in pieces, and the client may close the
 * connection early.
 */
import fc from "fast-check";
import { weighted } from "../weighted.ts";
import { type Call, type Credential, credentials } from "./requests.ts";

export interface Conversation {
  readonly kind: "conversation";
  readonly calls: readonly Call[];
  /** How many bytes are sent at once; 0: all. */
  readonly pieceBytes: number;
  /** The client closes the connection after this share of the bytes. With 1, it waits for every answer. */
  readonly share: number;
}

/** Headers that no operation reads. They must change neither its answer nor its count. */
const strayHeaders = fc.constantFrom<readonly [string, string]>(
  ["Content-Encoding", "identity"],
  ["Accept", "text/html"],
  ["Accept-Encoding", "gzip, *;q=0"],
  ["Expect", "100-continue"],
  ["Expect", "x"],
  ["Upgrade", "websocket"],
  ["Range", "bytes=0-0"],
  ["If-None-Match", "*"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-Forwarded-For", "1.2.3.4, ::1, nonsense"],
  ["X-Request-Id", "req_forged"],
  ["Host", "evil.example"],
  ["Origin", "null"],
  ["Cookie", "a=b; =; ;;; c"],
);

export function conversations(examples: readonly Call[]): fc.Arbitrary<Conversation> {
  const usual = fc.constantFrom<Credential>("key", "bearer", "anyCase");
  const any = fc.constantFrom(...(Object.keys(credentials) as Credential[]));
  const calls = fc
    .record({
      example: fc.constantFrom(...examples),
      credential: weighted([3, usual], [1, any]),
      stray: fc.array(strayHeaders, { maxLength: 2 }),
    })
    .map(({ example, credential, stray }): Call => {
      return { ...example, credential, headers: [...example.headers, ...stray] };
    });
  return fc.record<Conversation>({
    kind: fc.constant("conversation"),
    calls: fc.array(calls, { minLength: 1, maxLength: 6 }),
    pieceBytes: fc.constantFrom(0, 0, 0, 1, 7, 100),
    share: weighted([6, fc.constant(1)], [1, fc.double({ min: 0, max: 1, noNaN: true })]),
  });
}
