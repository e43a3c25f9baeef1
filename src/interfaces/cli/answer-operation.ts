/** Runs an operation for a command, on a data folder or a service, and prints the answer. */
import { Option } from "commander";
import type { DataFolder } from "../../appliance/appliance.ts";
import type { ErrorMeta } from "../../contract/envelope.ts";
import { type ServiceReply, toReply } from "../../operations/call-service.ts";
import type { Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import { type AnswerSource, addRepository, openAnswers } from "./answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "./cli-context.ts";
import { type ExitCode, exitCodes, getExitCode } from "./exit-code.ts";
import { askService, readService } from "./service-access.ts";
import { showAnswer } from "./show-answer.ts";
import { createHeldTerminal, printJson } from "./terminal.ts";

interface OperationRequest {
  readonly operation: Operation;
  /** The unvalidated input of the operation. */
  readonly input: unknown;
  readonly flags: Flags;
  readonly source: AnswerSource;
}

const forms = ["text", "json", "markdown"] as const;

/** An output format of a single command, such as a diff of CODEOWNERS. */
export interface AnswerForm {
  /** Describes the format in the help text. */
  readonly about: string;
  /** @param input the unvalidated input of the operation. */
  print(
    input: Readonly<Record<string, unknown>>,
    request: Pick<OperationRequest, "flags" | "source">,
    context: CliContext,
  ): Promise<void>;
}

export function createFormatOption(others: Readonly<Record<string, AnswerForm>>): Option {
  const about = Object.entries(others).map(([name, form]) => `, or ${name} for ${form.about}`);
  return new Option(
    "--format <form>",
    `text, json as with --json, markdown for a comment on a change${about.join("")} (default: text)`,
  ).choices([...forms, ...Object.keys(others)]);
}

/** Reads the output format from `--json` and `--format`. @throws Fault `usage` if the two flags name different formats. */
export function chooseForm<Form extends string>(
  { json, format }: Flags,
  among: readonly Form[],
): Form | "text" | "json" {
  const form = among.find((one) => one === format);
  if (!json) return form ?? "text";
  if (form === undefined || form === "json") return "json";
  throw createUsageFault(`--json and --format ${form} cannot be used together`);
}

export async function answerOperation(
  request: OperationRequest,
  context: CliContext,
): Promise<void> {
  const { operation, input, flags, source } = request;
  const form = chooseForm(flags, forms);
  const { show, print } = createPrinter(operation, form, context);
  if (source.kind === "service") {
    const { url } = flags;
    const service = readService(typeof url === "string" ? { url } : {});
    const reply = await askService(service, operation, input, context, show);
    const exitCode = print(reply);
    if (form !== "json") noteQuota(context, reply.meta);
    context.end(exitCode);
    return;
  }
  const respond = async (folder: DataFolder) => {
    const { modules } = folder;
    const caller = { ...modules.accounts.operator, requestId: context.newRequestId() };
    const isWho = "repository" in operation.input.properties;
    const own = isWho ? addRepository(input as object, source, folder) : input;
    const answer = await perform(operation, own, caller, modules, ({ value }) => show(value));
    return print(toReply(answer, caller.requestId));
  };
  await openAnswers(context, request, respond, { search: true });
}

/** @returns `show`, which formats the data, and `print`, which prints the formatted data. */
function createPrinter(
  operation: Operation,
  form: (typeof forms)[number],
  { terminal }: CliContext,
) {
  const held = createHeldTerminal(terminal);
  const show = (data: unknown) => {
    if (form === "markdown") held.result(...(operation.comment?.(data) ?? []));
    else if (form === "text") showAnswer(held, operation, data);
    return data;
  };
  const print = (reply: ServiceReply<unknown>): ExitCode => {
    if (reply.ok) {
      const { shown: data, meta } = reply;
      if (form === "json") printJson(terminal, { success: true, data, meta });
      held.print();
      return exitCodes.ok;
    }
    const { code, message, status, cause } = reply.problem;
    if (form === "json") {
      printJson(terminal, { success: false, error: { code, message }, meta: reply.meta });
    } else {
      terminal.note(`roster ${operation.command}: ${message}`);
    }
    if (code === "internal" && cause) terminal.note(String(cause));
    return getExitCode(status);
  };
  return { show, print };
}

function noteQuota({ terminal }: CliContext, { quota }: Partial<ErrorMeta>): void {
  if (!quota) return;
  const of = quota.limit < 0 ? "" : ` of ${quota.limit}`;
  terminal.note(`${quota.used}${of} calls this month.`);
}
