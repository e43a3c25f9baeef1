import { operations } from "../../../operations/index.ts";
import { NoticeBox, Panel } from "../look/parts.tsx";
import { definePublicPage } from "../page.ts";
import { showSearch } from "./search-page.tsx";

/** Guests see what Roster is, signed-in visitors the search. */
export const homePage = definePublicPage({
  path: "/",
  show: (ask) => {
    const { visitor } = ask;
    if (visitor) return showSearch({ ...ask, visitor });
    const { signUpMode } = ask.modules.signIn;
    const body = (
      <>
        <NoticeBox ask={ask} />
        <section class="hero">
          <h1>Find developers by what they built</h1>
          <p class="lead">
            Roster finds, scores and explains software developers. It runs on your own machine,
            computes every figure itself, and explains each of them.
          </p>
          <div class="actions">
            <a class="button" href="/sign-in">
              Sign in
            </a>
            {signUpMode === "open" && (
              <a class="button plain" href="/sign-up">
                Create an account
              </a>
            )}
            <a class="button plain" href="/docs">
              Try the API
            </a>
          </div>
        </section>
        <Panel title="What can be asked, by HTTP and by MCP" id="questions">
          <ul class="rows">
            {operations.map(({ name, summary, method, path }) => (
              <li>
                <h3>{summary}</h3>
                <p>
                  <code>
                    {method} {path.replace(/:(\w+)/g, "{$1}")}
                  </code>{" "}
                  <span class="muted">
                    as a tool of an AI assistant: <code>{name}</code>
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </Panel>
        <p class="muted">
          For programs: <a href="/v1/openapi.json">the API as an OpenAPI 3.1 document</a>, and{" "}
          <a href="/readyz">whether this Roster can serve calls now</a>.
        </p>
      </>
    );
    return { title: "Roster", body, frame: "bare" };
  },
});
