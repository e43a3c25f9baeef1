import { Command } from "commander";
import { createKey } from "../../../../accounts/accounts.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printJson } from "../../terminal.ts";

/** `key regenerate|recover|new`. */
export function createKeyCommand(session: CliContext): Command {
  const beside = { create: false, search: false } as const;
  const show = (flags: Record<string, unknown>, key: string, note: string) => {
    if (flags["json"]) printJson(session.terminal, { key });
    else {
      session.terminal.result(key);
      session.terminal.note(note);
    }
  };
  const regenerate = new Command("regenerate")
    .summary("Give an account a new key; the old one is dead at once")
    .argument("<email>");
  session
    .commonOptions(regenerate)
    .action(async (email: string, flags: Record<string, unknown>) => {
      await session.withModules(
        flags,
        async ({ modules }) => {
          const key = await modules.accounts.regenerateKey(email);
          show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
          return exitCodes.ok;
        },
        beside,
      );
    });
  const recover = new Command("recover").summary(
    "Give the administrator a new key, when the first was lost",
  );
  session.commonOptions(recover).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        const { email, key } = await modules.accounts.recoverKey();
        show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
        return exitCodes.ok;
      },
      beside,
    );
  });
  const make = new Command("new").summary(
    "Make a key for ROSTER_ADMIN_KEY, before the first start; nothing is stored",
  );
  session.commonOptions(make).action((flags: Record<string, unknown>) => {
    show(
      flags,
      createKey(),
      "Set ROSTER_ADMIN_KEY or ROSTER_ADMIN_KEY_FILE to it before the first start.",
    );
    session.end(exitCodes.ok);
  });
  return new Command("key")
    .summary("Replace or recover API keys")
    .addCommand(regenerate)
    .addCommand(recover)
    .addCommand(make);
}
