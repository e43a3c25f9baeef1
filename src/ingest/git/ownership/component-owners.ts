/** Parses `.github/component_owners.yml`, in which a repository of many components names the owners of each. */
import type {
  OwnershipRule,
  RepositoryOwnership,
} from "../../../contract/people/ownership-rule.ts";
import { isRecord, listTexts, parseYaml } from "./owner-yaml.ts";
import { listLoginsOnce } from "./owners-file.ts";

/** @param file path in the repository. */
export function parseComponentOwners(text: string, file: string): RepositoryOwnership {
  const parsed = parseYaml(text);
  if (!isRecord(parsed) || !isRecord(parsed.components)) {
    return { rules: [], unread: [{ file, line: 0, reason: "no YAML with components" }] };
  }
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    const key =
      line
        .trim()
        .split(":", 1)[0]
        ?.replace(/^["']|["']$/g, "") ?? "";
    if (line.includes(":") && !lines.has(key)) lines.set(key, index + 1);
  }
  const rules = Object.entries(parsed.components).map(
    ([folder, owners]): OwnershipRule => ({
      form: "component",
      file,
      line: lines.get(folder) ?? 1,
      pattern: folder
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .join("/"),
      owners: listLoginsOnce(listTexts(owners)),
    }),
  );
  return { rules, unread: [] };
}
