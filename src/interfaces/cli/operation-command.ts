/** Generates a command from each operation. */
import { Command, Option } from "commander";
import { otherLoginName, parseFieldText } from "../../contract/read.ts";
import type { TObject, TSchema } from "../../contract/schema.ts";
import type { Operation } from "../../operations/operation.ts";
import { type AnswerForm, answerOperation, createFormatOption } from "./answer-operation.ts";
import { chooseSource } from "./answer-source.ts";
import type { changeOptions } from "./change-paths.ts";
import { type CliContext, createUsageFault, type Flags } from "./cli-context.ts";
import { createSettingOption, toFlag } from "./setting-options.ts";

export function createOperationCommand(
  operation: Operation,
  context: CliContext,
  extra?: typeof changeOptions,
  forms: Readonly<Record<string, AnswerForm>> = {},
): Command {
  const command = new Command(operation.command).summary(operation.summary);
  command.description(`${operation.summary}.`);
  // The argument of the command is the first required field, or the first field if none is required.
  const { required = Object.keys(operation.input.properties) } = operation.input;
  const argument = extra ? undefined : required[0];
  if (argument !== undefined) {
    const { description = argument } = operation.input.properties[argument] ?? {};
    command.argument(`[${argument}]`, String(description));
  } else if (extra) command.argument(extra.argument.name, extra.argument.about);
  for (const [field, schema] of Object.entries(operation.input.properties)) {
    for (const option of createOptions(field, schema)) {
      // The singular flag of the list `paths` is left out, because `--path` is the flag of the field `path`.
      const isTaken = command.options.some(({ long }) => long === option.long);
      if (!isTaken) command.addOption(option);
    }
    const other = otherLoginName[field];
    if (other) command.addOption(new Option(`--${other} <${other}>`).hideHelp());
  }
  if (extra) command.addOption(extra.option);
  context.commonOptions(command);
  if (operation.comment) command.addOption(createFormatOption(forms));
  command.addOption(
    createSettingOption(
      "url",
      "address of a Roster service to ask, with the key in ROSTER_API_KEY or in the file ROSTER_API_KEY_FILE (default: ROSTER_URL, " +
        "unless a data folder is named)",
    ),
  );
  const about = operation.description.replaceAll(". ", ".\n");
  const example = `Example:\n  roster ${formatExample(operation, argument)}`;
  command.addHelpText("after", () => {
    const width = context.terminal.columns ?? helpColumns;
    return `\n${command.createHelp().boxWrap(about, width)}\n\n${example}`;
  });
  return command.action(async (...given: unknown[]) => {
    // Commander passes the arguments, then the flags, then the command.
    const flags = given.at(-2) as Record<string, unknown>;
    const source = await chooseSource(context, flags);
    const stated = readFlags(operation.input, flags);
    let raw = stated;
    if (extra) {
      raw = extra.argument.read(given[0] as string[], stated, context.wiring.cwd(), source);
      const value = flags[extra.option.attributeName()];
      if (typeof value === "string" || value === true)
        raw = await extra.read(value, raw, source, context);
    } else if (argument !== undefined) setArgument(raw, argument, given[0] as string | undefined);
    const form = forms[String(flags["format"])];
    if (form) await form.print(raw, { flags, source }, context);
    else await answerOperation({ operation, input: raw, flags, source }, context);
  });
}

function setArgument(raw: Record<string, unknown>, field: string, given: string | undefined): void {
  if (given === undefined) return;
  if (raw[field] !== undefined && raw[field] !== given)
    throw createUsageFault(`${field} is given twice: "${given}" and "${raw[field]}"`);
  raw[field] = given;
}

/** The width of help texts if the terminal's width is not known. */
const helpColumns = 80;

/** @package Creates the options of a field. A list has two options: `--skills Go,Rust` and `--skill Go`. */
export function createOptions(field: string, schema: TSchema): Option[] {
  const flag = toFlag(field);
  const description = String(schema.description ?? field);
  if (schema["type"] === "boolean") return [new Option(flag, description)];
  // Keeps placeholders short, because Commander does not wrap descriptions beside a wide column of flags.
  const value = ["integer", "number"].includes(schema["type"]) ? "number" : field;
  if (schema["type"] !== "array") return [new Option(`${flag} <${value}>`, description)];
  const collect = (split: (text: string) => readonly string[]) => {
    return (text: string, earlier: readonly string[] = []) => [...earlier, ...split(text)];
  };
  const each = `One of ${flag}; may be given again.`;
  return [
    new Option(`${flag} <names>`, description).argParser(
      collect((text) => text.split(",").map((part) => part.trim())),
    ),
    new Option(`${toFlag(toSingular(field))} <name>`, each).argParser(collect((text) => [text])),
  ];
}

function toSingular(field: string): string {
  return field.replace(/ies$/, "ys").replace(/s$/, "");
}

/** @package Converts flags to the unvalidated input of an operation. */
export function readFlags(input: TObject, flags: Flags): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(input.properties)) {
    const other = otherLoginName[field];
    if (other && flags[other] !== undefined) raw[other] = flags[other];
    const isList = schema["type"] === "array" && !(toSingular(field) in input.properties);
    const found = [flags[field], isList ? flags[toSingular(field)] : undefined];
    const [value, ...others] = found.filter((each) => each !== undefined);
    if (value === undefined) continue;
    if (typeof value === "string") raw[field] = parseFieldText(schema, value);
    else raw[field] = others.length > 0 ? [value, ...others].flat() : value;
  }
  return raw;
}

function formatExample(operation: Operation, argument: string | undefined): string {
  const words = Object.entries(operation.example).map(([field, value]) => {
    const text = Array.isArray(value) ? value.join(",") : String(value);
    return field === argument ? text : `${toFlag(field)} ${text}`;
  });
  return [operation.command, ...words].join(" ");
}
