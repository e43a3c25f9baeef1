/** Parses build files of native code. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { FileTable } from "./file-table.ts";
import {
  findCaptures,
  isText,
  type Parse,
  toNativeNames,
  toPackageNames,
  toRecord,
} from "./package-names.ts";

/** Removes the version from an entry: `PubSubClient@^2.8` becomes `pubsubclient`. */
function cutVersion(entry: string): string {
  return entry
    .replace(/[@(;].*$/s, "")
    .replace(/\.git\s*$/, "")
    .trim()
    .toLowerCase();
}

/** Splits names at spaces, and leaves out versions, options and variables. */
function splitModules(text: string): string[] {
  return text
    .replace(/[<>=!]{1,3}\s{0,20}[\w.]{1,60}/g, " ")
    .split(/\s+/)
    .filter((word) => /^[A-Za-z][\w+.:/-]*$/.test(word));
}

/** The parsers of native build files, by file name. @package */
export const nativeBuilds: FileTable<Parse> = {
  "CMakeLists.txt": (text) => {
    const plain = text.replace(/^[ \t]*#.*$/gm, "");
    const lists = findCaptures(
      plain,
      /\b(?:pkg_(?:check_modules|search_module)|target_link_libraries)[ \t]*\(\s*[^\s()]{1,100}\s([^()]{0,2000})/gi,
    );
    return toNativeNames([
      ...findCaptures(
        plain,
        /\b(?:find_package|find_dependency|fetchcontent_declare|enable_language)[ \t]*\(\s*([\w.+-]+)/gi,
      ),
      ...lists.flatMap(splitModules),
    ]);
  },
  "meson.build": (text) =>
    toNativeNames(
      findCaptures(text, /\b(?:dependency|find_library)[ \t]*\(\s*'([^'@\n]{1,100})'/g),
    ),
  "configure.ac configure.in": (text) => {
    const lists = findCaptures(
      text,
      /\bPKG_(?:CHECK_MODULES|CHECK_EXISTS)[ \t]*\(\s*\[?[\w.-]+\]?\s*,\s*\[?([^()[\]]{1,1000})/g,
      /\bAC_CHECK_(?:LIB|HEADERS?)[ \t]*\(\s*\[?([^()[\],]{1,1000})/g,
    );
    return toNativeNames(lists.flatMap(splitModules));
  },
  /** Finds packages of pkg-config, libraries and chips in flags, and included files. */
  "Makefile makefile GNUmakefile *.{mk,mak}": (text) => [
    ...toNativeNames([
      ...findCaptures(text, /\bpkg-config\b([^`|\n]{1,300})/g).flatMap((options) =>
        splitModules(options.replace(/\).*/, "")),
      ),
      ...findCaptures(
        text,
        /(?:^|\s)-l([\w+.-]+)/gm,
        /-D((?:STM32|ESP32|ESP8266|ARDUINO|NRF5|LPC\d)\w{0,50})/g,
        /-m(?:mcu|cpu)=[ \t]*([\w-]+)/g,
      ),
    ]),
    ...toPackageNames(
      "make",
      findCaptures(text, /^-?include[ \t]+(\S{1,200})/gm).map((name) =>
        name.slice(name.lastIndexOf("/") + 1).toLowerCase(),
      ),
    ),
  ],
  "vcpkg.json": (text) => {
    const { dependencies } = toRecord(tryParseJson(text));
    const list = Array.isArray(dependencies) ? dependencies : [];
    return toNativeNames(
      list.map((each) => (isText(each) ? each : toRecord(each)["name"])).filter(isText),
    );
  },
  /** Parses references such as `zlib/1.3`. */
  "conanfile.txt conanfile.py": (text) =>
    toNativeNames(
      findCaptures(text, /(?:^|["'(,\s])([a-z0-9_][a-z0-9_+.-]{1,100})\/[\w.[~^>=<*-]/g),
    ),
  "library.properties": (text) =>
    toPackageNames("arduino", [
      "arduino",
      ...findCaptures(text, /^depends[ \t]*=([^\n]{1,2000})/gm).flatMap((list) =>
        list.split(",").map(cutVersion),
      ),
    ]),
  "platformio.ini": (text) => {
    const block = /^[ \t]*(platform|framework|lib_deps)[ \t]*=((?:[^\n]*\n(?=[ \t]+\S))*[^\n]*)/gm;
    return toPackageNames("arduino", [
      "platformio",
      ...[...text.matchAll(block)].flatMap(([, , list = ""]) =>
        list.split(/[,\n]/).map((entry) => cutVersion(entry.replace(/^.*[/\\]/, ""))),
      ),
    ]);
  },
  /** All modules of Qt count as Qt. */
  "*.{pro,pri}": (text) =>
    toNativeNames([
      ...(/^[ \t]*QT[ \t]*\+?=/m.test(text) ? ["qt"] : []),
      ...findCaptures(text, /^[^#\n]{0,100}\bPKGCONFIG[ \t]*\+?=([^#\n]{1,500})/gm).flatMap(
        splitModules,
      ),
      ...findCaptures(text, /(?:^|\s)-l([\w+.-]+)/gm),
    ]),
};
