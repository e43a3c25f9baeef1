import type { Problem } from "../../../contract/problem.ts";
import { toSentence, type View } from "../page.ts";

const titles: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  429: "Too many tries",
  500: "Something broke",
};

/** A refusal or fault, as a page: what happened, what to do, and the id that finds it in the log. */
export function renderProblemPage({ status, message }: Problem, requestId: string): View {
  const title = titles[status] ?? "That did not work";
  const isOurs = status >= 500;
  const words = isOurs
    ? "This Roster made a mistake, and nothing more is known here. Its log has the cause, under the id below."
    : toSentence(message);
  const body = (
    <div class="narrow">
      <p class="status-number">{status}</p>
      <h1>{title}</h1>
      <p>{words}</p>
      <p>
        <a href="/">To the start page</a>
      </p>
      <p class="muted">
        Request id: <code>{requestId}</code>
      </p>
    </div>
  );
  return { title, body, status };
}

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
