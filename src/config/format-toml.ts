/** Formats values for a settings file. */

/** @package Quotes the text, unless it is a number or a boolean in TOML. */
export function formatTomlValue(text: string): string {
  return /^(true|false|0|[1-9]\d{0,14})$/.test(text) ? text : formatTomlText(text);
}

/** @package Quotes a text. A JSON string is a TOML string, except for one control character that JSON does not escape. */
export function formatTomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
