/** @package Formats a text for a settings file. Numbers and booleans stay without quotes. */
export function formatTomlValue(text: string): string {
  return /^(true|false|0|[1-9]\d{0,14})$/.test(text) ? text : formatTomlText(text);
}

/** @package Quotes a text for TOML. JSON quotes texts in the same way, except for one control character. */
export function formatTomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
