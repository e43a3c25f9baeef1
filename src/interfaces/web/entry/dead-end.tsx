import { errorPath } from "../../../accounts/accounts.ts";
import { definePublicPage } from "../page.ts";

/** For browsers that the authorization server cannot send back: wrong client, wrong redirect. */
export const deadEndPage = definePublicPage({
  path: errorPath,
  show: ({ url }) => {
    // Whoever made the address chose these words: a few plain ones, never a page of theirs.
    const plain = (name: string) =>
      (url.searchParams.get(name) ?? "").replace(/[^\w .,:/'()-]/g, "").slice(0, 200);
    const reason = plain("error_description") || plain("error");
    const destination = plain("destination");
    const body = (
      <div class="narrow">
        <h1>This cannot go on</h1>
        <p>
          Something in the way that you were sent here is not right, so nothing was allowed. Go back
          to where you came from, an assistant or the page to sign in, and begin anew.
        </p>
        {destination && (
          <p>
            You were not sent on to <strong>{destination}</strong>, since you have not allowed it
            anything so far.
          </p>
        )}
        {reason && (
          <p class="muted">
            For whoever looks after it: <code>{reason}</code>
          </p>
        )}
      </div>
    );
    return { title: "This cannot go on", body, status: 400 };
  },
});
