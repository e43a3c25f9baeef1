/** Writes the table of a forge for the settings file from the fields of a form. The parser of the settings checks it. */
import { isLoopback } from "../network/ip-address.ts";
import { formatTomlText } from "./format-toml.ts";
import { deriveTokenVariable, readSources } from "./sources.ts";

/** As typed, all texts. */
interface SourceDraft {
  readonly kind: string;
  readonly url: string;
  /** Blank: the host of the address. */
  readonly id: string;
  /** Separated by commas or lines. */
  readonly select: string;
  readonly everyHours: string;
  /** Blank: the token is in the variable. */
  readonly tokenFile: string;
}

type ComposedSource =
  | {
      readonly ok: true;
      readonly block: string;
      /** The variable that may hold the token. */
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
    // The parser refuses an address that is no URL.
    id: id.trim() || (parsed?.hostname ?? "forge"),
    kind: kind.trim(),
    url: address,
    ...(tokenFile.trim() !== "" && { tokenFile: tokenFile.trim() }),
    select: selections.filter((one) => one !== ""),
    ...(everyHours.trim() !== "" && { everyHours: Number(everyHours) }),
    // The form has no field for this setting, and the address says that it is meant.
    ...(isPlain && { allowHttp: true }),
  };
}

function formatValue(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "string") return formatTomlText(value);
  if (typeof value === "object") return `[${value.map(formatTomlText).join(", ")}]`;
  return String(value);
}
