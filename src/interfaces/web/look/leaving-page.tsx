import type { View } from "../page.ts";

/**
 * The way out of these pages, to an assistant or a provider of sign-in. A page of its own and no redirect: browsers
 * hold `form-action 'self'` against every redirect that follows a form, the other side's further ones too.
 * The browser goes on by the `Refresh` header; the link is for the one that does not.
 */
export function renderLeavingPage(location: string): View {
  const { protocol, host } = new URL(location);
  const name = /^https?:$/.test(protocol) ? host : `the program that opens ${protocol} addresses`;
  const body = (
    <div class="narrow">
      <h1>Going on to {name}</h1>
      <p>
        Your browser goes on by itself. If it does not:{" "}
        <a href={location} rel="noreferrer">
          continue to {name}
        </a>
        .
      </p>
    </div>
  );
  return { title: "Going on", body };
}
