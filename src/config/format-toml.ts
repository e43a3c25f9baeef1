/** @package Formats a text for a settings file. Numbers and booleans stay without quotes. */
export function formatTomlValue(text: string): string {
  if (/^(true|false|0|[1-9]\d{0,14})$/.test(text)) return text;
  // JSON quotes texts as TOML does, except for one control character.
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
