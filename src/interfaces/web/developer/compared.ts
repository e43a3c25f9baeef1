/** How many people stand side by side. */
export const comparedMax = 4;

/** Lists logins once, whatever their case, in order. A text may hold several. */
export function splitLogins(texts: readonly string[]): readonly string[] {
  const logins = texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
  return [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
}
