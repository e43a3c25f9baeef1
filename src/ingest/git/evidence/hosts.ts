/** Finds the hosts that a project extends, such as a browser or an editor, by the manifests of their plug-ins. */
import hosts from "../../../../seed/git/host-manifests.json" with { type: "json" };
import { joinFileTables } from "./file-table.ts";

/** Finds the reader of a file by its name. The reader lists the hosts whose sign is in the text, as `subject:SKILL`. */
export const findHostReader = joinFileTables(
  ...Object.entries(hosts.manifests).map(([names, signs]) => ({
    [names]: (text: string) =>
      Object.entries(signs).flatMap(([id, sign]) =>
        new RegExp(sign, "m").test(text) ? `subject:${id}` : [],
      ),
  })),
);

/** The folders inside a project in which its manifest may be, such as META-INF in the resources of Java. */
const inner = /(^|\/)((src|source|main|public|static|resources|META-INF)\/)*[^/]+$/;

/** @returns the folder of the project whose manifest this is; "" for the whole repository. */
export const findProjectFolder = (path: string): string => path.slice(0, path.search(inner));
