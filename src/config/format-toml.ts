/** @package Formats a text for a settings file. Quotes it unless it is a number or a boolean in TOML. */
export function formatTomlValue(text: string): string {
  return /^(true|false|0|[1-9]\d{0,14})$/.test(text) ? text : formatTomlText(text);
}

/** @package Quotes a text. A JSON string is a TOML string, except for one control character that only TOML must escape. */
export function formatTomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
