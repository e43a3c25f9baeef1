import { Problem } from "../../contract/problem.ts";
import type { Route } from "../../network/route.ts";

/** RFC 9116 recommends less than a year. */
const validDays = 180;
const dayMs = 86_400_000;

/** Serves `/.well-known/security.txt` (RFC 9116) if the operator has named a contact. Otherwise there is no such document. */
export function createSecurityRoutes({
  contact,
  publicUrl,
  now,
}: {
  readonly contact: () => string | undefined;
  readonly publicUrl: () => string;
  readonly now: () => Date;
}): readonly Route[] {
  const path = "/.well-known/security.txt";
  const handle = () => {
    const named = contact();
    if (named === undefined) throw new Problem("not_found");
    const expires = new Date(Math.ceil(now().getTime() / dayMs + validDays) * dayMs);
    const address = publicUrl() + path;
    const lines = [
      `Contact: ${named}`,
      `Expires: ${expires.toISOString()}`,
      ...(address.startsWith("https:") ? [`Canonical: ${address}`] : []),
    ];
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response(`${lines.join("\n")}\n`, { headers });
  };
  return [{ path, methods: ["GET"], handle }];
}
