import { type Command, Option } from "commander";
import { type Setting, serviceSettings, settings } from "../../config/config.ts";

/** The values of a command's options, as Commander passes them. */
export type Flags = Readonly<Record<string, unknown>>;

/** Converts the name of a field to a flag: `minExperienceYears` becomes `--min-experience-years`. */
export const toFlag = (field: string) =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Adds the options of these settings, with help texts of their own. */
export function addSettings(command: Command, helps: Readonly<Record<string, string>>): Command {
  for (const [key, help] of Object.entries(helps))
    command.addOption(createSettingOption(key, help));
  return command;
}

export const modelSettings = {
  "analysis.modelFile": "scoring model to use (default: the built-in model)",
  "identity.publishCommitEmails": "show people's addresses in commits",
};

export const identitySettings = {
  "identity.aliasFile": "file that says which authors are one person",
  "identity.classFile": "file that says which authors are bots",
  "identity.names": "join authors with the same name: within a `repository`, or `off`",
};

/** The limits of reading one repository. */
export const readingSettings = {
  "ingest.timeout": "leave out a repository that takes longer (default: 1h)",
  "ingest.gitMemory":
    "leave out a repository for which git needs more memory, in MiB (default: 2048)",
};

/** @param help replaces the help text of the setting. */
export function createSettingOption(key: string, help?: string): Option {
  const setting = findSetting(key);
  const { flag = "", takes, default: fallback } = setting;
  const isDefaultShown = help === undefined && takes && fallback !== undefined;
  const text = help ?? setting.help;
  return new Option(
    takes ? `${flag} <${takes}>` : flag,
    isDefaultShown ? `${text} (default: ${fallback})` : text,
  );
}

export function findSetting(key: string): Setting {
  const setting = [...settings, ...serviceSettings].find((each) => each.key === key);
  if (!setting) throw new Error(`there is no setting ${key}`);
  return setting;
}

export function createRemovalsOption(): Option {
  return new Option(
    "--allow-removals",
    "allow a run that removes more than a quarter of the people",
  );
}

export function createConfigOption(): Option {
  return new Option("--config <FILE>", "settings file (default: roster.toml in the data folder)");
}

/** Finds the options that are settings. @returns the texts of their values, by the key of the setting. */
export function toSettingTexts(flags: Flags): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const { key, flag } of settings) {
    const name = flag
      ?.replace(/^--(no-)?/, "")
      .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = name ? flags[name] : undefined;
    // Commander sets a `--no-...` option to true if the flag is not given.
    if (value !== undefined && !(flag?.startsWith("--no-") && value === true))
      texts[key] = String(value);
  }
  if (flags["config"]) texts["config"] = String(flags["config"]);
  return texts;
}
