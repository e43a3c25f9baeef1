/** Writes the `[[sources]]` table of a forge from the fields of a form. The table is checked like a settings file. */
import { isLoopback } from "../network/ip-address.ts";
import { formatTomlText } from "./format-toml.ts";
import { deriveTokenVariable, readSources } from "./sources.ts";

/** The fields of the form, as the administrator typed them. */
interface SourceDraft {
  readonly kind: string;
  readonly url: string;
  /** The id of the source. If blank, the host of `url` becomes the id. */
  readonly id: string;
  /** Selections such as `org:acme`, separated by commas or line ends. */
  readonly select: string;
  readonly everyHours: string;
  /** The file with the token. If blank, the token is read from an environment variable. */
  readonly tokenFile: string;
}

type ComposedSource =
  | {
      readonly ok: true;
      readonly block: string;
      /** The environment variable that may contain the token. */
      readonly variable: string;
    }
  | { readonly ok: false; readonly field: keyof SourceDraft; readonly message: string };

/** @param taken the ids of other sources. */
export function composeSource(draft: SourceDraft, taken: readonly string[]): ComposedSource {
  const table = toTable(draft);
  const { id } = table;
  if (taken.includes(id)) {
    return { ok: false, field: "id", message: `the settings have a source ${id} already` };
  }
  try {
    readSources([table], "roster.toml", {});
  } catch (error) {
    const message = (error as Error).message.replace("sources, entry 1: ", "");
    const [field = ""] = /^\w*/.exec(message) ?? [];
    return { ok: false, field: (field in draft ? field : "url") as keyof SourceDraft, message };
  }
  const lines = Object.entries(table).map(([name, value]) => `${name} = ${formatValue(value)}`);
  return {
    ok: true,
    block: ["[[sources]]", ...lines].join("\n"),
    variable: deriveTokenVariable(id),
  };
}

function toTable({ kind, url, id, select, everyHours, tokenFile }: SourceDraft) {
  const address = url.trim();
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = parsed?.protocol === "http:" && !isLoopback(parsed.hostname);
  const selections = select.split(/[,\n]/).map((one) => one.trim());
  return {
    // The check of the table refuses an address that is no URL.
    id: id.trim() || (parsed?.hostname ?? "forge"),
    kind: kind.trim(),
    url: address,
    ...(tokenFile.trim() !== "" && { tokenFile: tokenFile.trim() }),
    select: selections.filter((one) => one !== ""),
    ...(everyHours.trim() !== "" && { everyHours: Number(everyHours) }),
    // The form has no field for `allowHttp`. An administrator who types an http address wants it.
    ...(isPlain && { allowHttp: true }),
  };
}

function formatValue(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "string") return formatTomlText(value);
  if (typeof value === "object") return `[${value.map(formatTomlText).join(", ")}]`;
  return String(value);
}
