/** JSONL in and out: one developer a line, facts and not scores, described by a published JSON Schema. */
export { type ExportOptions, type ExportSummary, exportFile } from "./export-file.ts";
export { createFactsJsonSchema } from "./facts-schema.ts";
export {
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
  importFile,
} from "./import-file.ts";
export type { RejectedLine } from "./refusal.ts";
