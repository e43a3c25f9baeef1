import { getLinkPath } from "../../../accounts/accounts.ts";
import { formatInstant } from "../look/words.ts";
import type { Notice, PageRequest } from "../page.ts";

interface Link {
  readonly token: string;
  readonly expiresAt: Date;
}

/** A one-time link, shown to the administrator this once: a site may have no mail server, and needs none. */
export function createLinkNotice(
  text: string,
  purpose: "invitation" | "reset",
  { token, expiresAt }: Link,
  { modules }: Pick<PageRequest, "modules">,
): Notice {
  const what = purpose === "invitation" ? "Invitation" : "Link for a new password";
  return {
    text: `${text} Give the holder this link yourself: it is shown this once, and works once, until ${formatInstant(expiresAt)}.`,
    secret: { label: what, text: `${modules.publicUrl()}${getLinkPath(purpose, token)}` },
  };
}
