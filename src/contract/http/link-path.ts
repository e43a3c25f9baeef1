/** What a one-time link is for. */
export type LinkPurpose = "set-up" | "invitation" | "reset";

export const linkPaths = {
  "set-up": "/set-up",
  invitation: "/invitation",
  reset: "/reset-password",
} as const satisfies Record<LinkPurpose, string>;

/** The page that a one-time link leads to: whoever shows a link and whoever serves it agree here. */
export function getLinkPath(purpose: LinkPurpose, token: string): string {
  return `${linkPaths[purpose]}?${new URLSearchParams({ token })}`;
}
