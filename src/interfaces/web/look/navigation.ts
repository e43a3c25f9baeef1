import type { PageRequest } from "../page.ts";
import { formatCount } from "./format.ts";

export interface Destination {
  readonly to: string;
  readonly label: string;
  /** Returns a short note that follows the label, such as a count. An empty text means no note. */
  readonly note?: (ask: PageRequest) => string;
}

export const tasks: readonly Destination[] = [
  { to: "/", label: "Search" },
  { to: "/who", label: "Who knows" },
  {
    ...{ to: "/compare", label: "Compare" },
    note: ({ calls, visitor }) =>
      String((visitor && calls.compared(visitor.account.id).length) || ""),
  },
  {
    to: "/saved",
    label: "Saved",
    note: ({ newPeople }) => (newPeople > 0 ? `${formatCount(newPeople)} new` : ""),
  },
];

interface Section {
  readonly label: string;
  /** The tabs of the section, in this order. The menu links to the first tab. All pages of the section are below it. */
  readonly tabs: readonly [Destination, ...Destination[]];
}

const ownAccount: Section = {
  label: "My account",
  tabs: [
    { to: "/account", label: "Usage" },
    { to: "/account/api", label: "API key" },
    { to: "/account/assistants", label: "Assistants" },
    { to: "/account/security", label: "Security" },
  ],
};

const administration: Section = {
  label: "Administration",
  tabs: [
    { to: "/admin", label: "Overview" },
    { to: "/admin/runs", label: "Runs" },
    { to: "/admin/identity", label: "Identities" },
    { to: "/admin/accounts", label: "Accounts" },
    { to: "/admin/usage", label: "Usage" },
    { to: "/admin/sources", label: "Sources" },
    { to: "/admin/webhooks", label: "Webhooks" },
    { to: "/admin/model", label: "Model" },
    { to: "/admin/settings", label: "Settings" },
    { to: "/admin/audit", label: "Audit log" },
  ],
};

/** The sections that the visitor may open; guests may open none. */
export function listSections({ visitor }: Pick<PageRequest, "visitor">): readonly Section[] {
  if (!visitor) return [];
  return visitor.account.administrator ? [ownAccount, administration] : [ownAccount];
}

/** Finds the value of `aria-current` for a link: `page` on the page itself, `true` on a page below it. */
export function findCurrent(to: string, { pathname }: URL): "page" | "true" | undefined {
  if (pathname === to) return "page";
  return to !== "/" && pathname.startsWith(`${to}/`) ? "true" : undefined;
}
