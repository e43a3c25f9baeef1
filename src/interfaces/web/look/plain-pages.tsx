import type { Problem } from "../../../contract/problem.ts";
import { toSentence, type View } from "../page.ts";
import { Message } from "./parts.tsx";

const titles: Readonly<Record<number, string>> = {
  400: "The request was not understood",
  403: "Not allowed",
  404: "Not found",
  413: "Too much text",
  429: "Too many tries",
  500: "Something broke",
};

/** Renders a page about a problem: what happened, what to do, and the request id for a search in the log. */
export function renderProblemPage({ status, message }: Problem, requestId: string): View {
  const title = titles[status] ?? "The page cannot be shown";
  const explanation =
    status >= 500
      ? "Roster failed, and this page does not know why. The log has the cause under the id below. Try again, or tell an administrator the id."
      : toSentence(message);
  const heading = (
    <>
      <p class="status-number">{status}</p>
      <h1>{title}</h1>
    </>
  );
  const body = (
    <>
      <p>
        <Message text={explanation} />
      </p>
      <p>
        <a href="/">To the start page</a>
      </p>
      <p class="muted">
        Request id: <code>{requestId}</code>
      </p>
    </>
  );
  return { title, heading, body, frame: "narrow", status };
}

/**
 * Renders the page that sends a browser on to another site, by the `Refresh` header or a link. A redirect would not work after a
 * form, because `form-action 'self'` also applies to redirects.
 */
export function renderLeavingPage(location: string): View {
  const { protocol, host } = new URL(location);
  const name = /^https?:$/.test(protocol) ? host : `the program that opens ${protocol} addresses`;
  const body = (
    <p>
      Your browser continues by itself. If it does not:{" "}
      <a href={location} rel="noreferrer">
        continue to {name}
      </a>
      .
    </p>
  );
  return { title: "Going on", heading: <h1>Continuing to {name}</h1>, body, frame: "narrow" };
}
