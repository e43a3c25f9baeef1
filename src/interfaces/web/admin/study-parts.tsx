/** Parts of pages that show a study. A study is a result that a separate process computes while the page is open. */
import type { Children } from "../look/jsx-runtime.ts";
import { Callout } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import type { Study, StudyState } from "./administration.ts";
import { createPolling } from "./run-parts.tsx";

/**
 * Reads a study. Starts the study if there is no result, or if the pool has changed since the result.
 * @param isDeciding whether a run under way will change the pool. If so, an old result stays.
 */
export function readStudy<Result>(
  { modules }: SignedInRequest,
  study: Study<Result>,
  isDeciding: boolean,
): StudyState<Result> {
  const { state, isStale } = { isStale: false, ...study.read() };
  const isOutdated = state === "none" || (isStale && !isDeciding);
  if (isOutdated && modules.administration.runs.canStart) study.ask();
  return study.read();
}

interface StudyPartProperties extends SignedInProperties {
  readonly id: string;
  readonly study: StudyState<unknown>;
  /** Whether the browser updates the part. Default: while the study is running. */
  readonly isMoving?: boolean;
  /** Describes the work while the study runs. */
  readonly doing: string;
  readonly failure: { readonly title: string; readonly help: Children };
  readonly children: Children;
}

export function StudyPart(properties: StudyPartProperties) {
  const { ask, id, study, isMoving = study.state === "running", doing, failure } = properties;
  const { pathname } = ask.url;
  return (
    <div class="stack-wide" {...createPolling(isMoving, pathname, id)}>
      {study.state === "running" && (
        <p role="status">
          {doing} ... <a href={pathname}>Look again</a>
        </p>
      )}
      {study.state === "failed" && (
        <Callout tone="wrong" title={failure.title} role="alert">
          <p class="free">{study.message}</p>
          {failure.help}
        </Callout>
      )}
      {properties.children}
    </div>
  );
}
