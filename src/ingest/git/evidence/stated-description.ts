/** Finds a project's description and keywords in its manifests. */

/** Paths of manifests that may describe the repository. */
const describing = [
  /^(package|composer|library|bower|codemeta|manifest|vcpkg|elm|dub|haxelib)\.json$/,
  /^((Cargo|pyproject|gleam)\.toml|CITATION\.cff|DESCRIPTION|dune-project|mix\.exs|pom\.xml|setup\.(py|cfg)|CMakeLists\.txt)$/,
  /^((galaxy|shard|snapcraft|package)\.ya?ml|(Chart|pubspec)\.yaml|library\.properties|project\.clj|dist\.ini)$/,
  /^(build\.(sbt|gradle|gradle\.kts)|(Makefile|Build)\.PL)$/,
  /^(src\/\w+\.app\.src|snap\/snapcraft\.yaml|debian\/control|\.github\/settings\.yml)$/,
];
const named =
  /^[^/]+\.(gemspec|podspec|cabal|opam|nimble|rockspec|spec|pc\.in)$|^((data|dist|desktop|flatpak|misc|res)\/)?[\w.-]+\.(metainfo|appdata)\.xml(\.in)*$/;
const store = /^fastlane\/metadata\/android\/en-US\/short_description\.txt$/;

/** @returns files that may describe the repository. Of several `*.gemspec` files, only the one with the shortest path is used. */
export function selectDescribing<File extends { readonly path: string }>(files: readonly File[]) {
  const found = files.filter(({ path }) => named.test(path));
  const free = Map.groupBy(found, ({ path }) => path.slice(path.lastIndexOf(".")));
  return [
    ...files.filter(({ path }) => [store, ...describing].some((pattern) => pattern.test(path))),
    ...[...free.values()].map((each) =>
      each.reduce((a, b) => (b.path.length < a.path.length ? b : a)),
    ),
  ];
}

/** Matches the description in a manifest, such as `"description": "…"`. */
const quoted =
  /\b(?:dist_)?(?:description|synopsis|summary|abstract|sentence)\b["']?\s{0,9}(?:=>|:=|=|:|,|\s)\s{0,9}(["'])((?:(?!\1)[^\n]){1,500})\1/i;
const onLine =
  /^[ \t]*(?:description|synopsis|summary|abstract|sentence|title)[ \t]*[:=][ \t]*["']?([^\n]{1,500})/im;
const inXml = /<(?:description|summary)>([^<]{1,500})</i;
const listed =
  /\b(?:keywords|tags|topics)\b["']?\s{0,9}(?:=>|:=|=|:)[ \t]{0,9}(?:\[([^\]]{1,1000})\]|((?:\r?\n[ \t]{0,9}-[^\n]{1,100}){1,30})|["']?([^\n[\]{}]{1,500}))/i;

/** A description is cut at these words, because the rest is about uses and other projects. */
const means =
  /\b(similar to|instead of|unlike|such as|like|e\.g\.|for example|including|with|without|supporting|compatible with|suitable for|between|across|for [^,.;]{1,60} metrics|(for|in) (the )?[\p{L}+#]+ ((programming )?language|desktop)|(to|of|for|from|into) [^,.;]{1,40}(, [^,.;]{1,40}){3,})\b.*/iu;
/** Parts that say nothing of the subject: parentheses, tools (up to "for"), and names before "inspired" or "compatible". */
const asides =
  /\([^()]*\)?|\b(using|written in|built (with|on)|based on|powered by|inspired by)\b((?!\bfor\b).)*|(?<![\p{L}\p{N}.+#])[\p{L}\p{N}.+#]{1,40}( ?\/ ?[\p{L}\p{N}.+#]{1,40}){0,4}[ -](inspired|compatible|like|style)\b/giu;
/** How many characters of a manifest are examined. */
const charactersRead = 20_000;
export const keywordsMax = 8;

/** @returns the beginning of a description, which says what something is. */
export function cutDescription(text: string): string {
  return text.replace(asides, "").replace(means, "");
}

/** @returns the description and the keywords; empty when the file has none. */
export function findDescription(path: string, content: string): readonly string[] {
  if (store.test(path)) return [cutDescription(content)];
  // In CMakeLists.txt, only the description in `project(…)` is about the repository itself.
  const beginning = content.slice(0, charactersRead);
  const text =
    path === "CMakeLists.txt"
      ? (/\bproject\s{0,9}\([^()]{1,2000}\)/i.exec(beginning)?.[0] ?? "")
      : beginning;
  const description =
    quoted.exec(text)?.[2] ?? onLine.exec(text)?.[1] ?? inXml.exec(text)?.[1] ?? "";
  const list = listed.exec(text)?.slice(1).find(Boolean) ?? "";
  const keywords = list
    .split(/[,\n"']/)
    .map((each) => each.trim().replace(/^- */, ""))
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .slice(0, keywordsMax);
  return [cutDescription(description), ...keywords].filter((each) => each.trim() !== "");
}
