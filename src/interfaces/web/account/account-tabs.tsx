import { Tabs } from "../look/layout.tsx";
import type { PageRequest } from "../page.ts";

/** The head of each account page. */
export function AccountHead({ ask }: { readonly ask: PageRequest }) {
  return <Tabs label="Account" tabs={tabs} here={ask.url.pathname} />;
}

const tabs = [
  { to: "/account", label: "Usage" },
  { to: "/account/api", label: "API" },
  { to: "/account/assistants", label: "Assistants" },
  { to: "/account/security", label: "Security" },
];
