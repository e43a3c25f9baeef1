import { Command } from "commander";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";

/**
 * `clock accept`: after the machine's clock went back by more than a day, calls go on counting in the later
 * window and the server is not ready, until somebody says which clock is right.
 */
export function createClockCommand(session: CliContext): Command {
  const accept = new Command("accept").summary(
    "Take the machine's clock as right after it went back",
  );
  session.commonOptions(accept).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        await modules.quota.acceptClock();
        session.terminal.note(`Calls count from ${session.wiring.now().toISOString()} on.`);
        return exitCodes.ok;
      },
      { create: false, search: false },
    );
  });
  return new Command("clock").summary("Settle a clock that went back").addCommand(accept);
}
