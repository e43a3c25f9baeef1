/** Finds the repository's own files that an import may name. */
import { groupByKeys } from "../../group-by-keys.ts";

export type OwnFiles = ReturnType<typeof collectOwnFiles>;

/** @param files the files that were not copied from elsewhere. @param product the repository's name: its module is the product. */
export function collectOwnFiles(files: readonly { readonly path: string }[], product: string) {
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const modules = files.map(({ path }) => path.toLowerCase().replace(/\/__init__\.py$/, ".py"));
  const byName = groupByKeys(modules, nameOf);
  for (const type of ["py", "h"]) byName.delete(`${product.toLowerCase()}.${type}`);
  /** Lists the folders that have this file: "" and `lib/` for `b.h` if there are `b.h` and `lib/b.h`. */
  const foldersOf = (file: string): readonly string[] =>
    (byName.get(nameOf(file)) ?? []).flatMap((path) =>
      `/${path}`.endsWith(`/${file}`) ? path.slice(0, path.length - file.length) : [],
    );
  return {
    hasHeader: (header: string): boolean => foldersOf(header.toLowerCase()).length > 0,
    /** Whether Python finds the module in a folder above the importing file that is itself no module. */
    hasModule: (from: string, module: string): boolean =>
      foldersOf(`${module.toLowerCase()}.py`).some(
        (folder) =>
          from.toLowerCase().startsWith(folder.replace(/\b(src|lib)\/$/, "")) &&
          !foldersOf(`${folder.slice(0, -1)}.py`).includes(""),
      ),
  };
}
