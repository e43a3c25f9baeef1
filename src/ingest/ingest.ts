/** Brings facts into the pool, from wherever they are, and out again. */
export {
  type ExportOptions,
  type ExportSummary,
  exportFile,
  factsJsonSchema,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
  IngestRefusal,
  importFile,
  type RejectedLine,
} from "./jsonl/jsonl.ts";
export { createJudge, type Judge } from "./judge.ts";
