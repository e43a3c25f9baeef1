/** Writes values as a settings file has them. */

/** @package A number or a switch stays one, where the text is one as TOML writes it; else it is quoted. */
export function formatTomlValue(text: string): string {
  return /^(true|false|0|[1-9]\d{0,14})$/.test(text) ? text : formatTomlText(text);
}

/** @package JSON's strings are TOML's, but for the one control character that JSON leaves as it is. */
export function formatTomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
