import type { SearchRequest } from "../../../contract/requests.ts";
import { formatCall } from "../../../operations/example-call.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { Disclosure } from "../look/forms.tsx";
import { ButtonLink, Copyable, Popup } from "../look/parts.tsx";
import type { SignedInProperties } from "../page.ts";

interface ExportProperties extends SignedInProperties {
  readonly request: SearchRequest;
  /** The query of the page of results, without a question mark. */
  readonly query: string;
}

/** A popup with files of the people on the page, and the search as a call for programs and assistants. */
export function ExportResults({ ask, request, query }: ExportProperties) {
  const [operation] = operations as [Operation];
  const access = { address: ask.modules.publicUrl(), key: "$ROSTER_API_KEY" };
  const curl = formatCall(operation, request, access).join(" \\\n  ");
  const call = { name: operation.name, arguments: request };
  return (
    <Popup label="Export" tone="plain">
      <div class="actions">
        <ButtonLink to={`/search/people.csv?${query}`} label="CSV" />
        <ButtonLink to={`/search/people.json?${query}`} label="JSON" />
      </div>
      <Disclosure label="Copy as a call">
        <Copyable id="as-curl" label="curl" text={curl} />
        <Copyable id="as-mcp" label="MCP call" text={JSON.stringify(call, undefined, 2)} />
        <Copyable id="as-command" label="Command" text={formatCommand(request)} />
      </Disclosure>
    </Popup>
  );
}

/** @package Writes the search as a command for a POSIX shell. */
export function formatCommand(request: SearchRequest): string {
  const { location, ...options } = request;
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    // The names of a list are separated by commas.
    return value === true ? [flag] : [flag, quoteForShell(String(value))];
  });
  return ["roster search", quoteForShell(location), ...flags].join(" ");
}

/** Quotes a text for a POSIX shell, unless the shell reads it unchanged. */
function quoteForShell(text: string): string {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
