import { Command } from "commander";
import { exitCodes } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { showTerms } from "../show-answer.ts";
import { json } from "../terminal.ts";

/** `explain LOGIN`: every score of one developer with the terms that make it. Counts no call. */
export function explainCommand(session: Session): Command {
  const command = new Command("explain")
    .summary("Show why a developer's scores are what they are")
    .argument("<login>", "login of the developer");
  session.commonOptions(command).addHelpText("after", "\nExample:\n  roster explain ada-example");
  return command.action(async (login: string, flags: Record<string, unknown>) => {
    await session.withRooms(
      flags,
      async ({ rooms }) => {
        const analysis = rooms.pool.findAnalysis(login);
        if (!analysis) {
          session.terminal.note(`roster explain: no developer has the login ${login}`);
          return exitCodes.notFound;
        }
        const { scores, explanation, modelVersion, asOf, confidence } = analysis;
        if (flags["json"]) {
          json(session.terminal, { login, scores, confidence, explanation, modelVersion, asOf });
          return exitCodes.ok;
        }
        session.terminal.result(
          `${login}: ${scores.score} as ${scores.role} (as of ${asOf}, model ${modelVersion})`,
        );
        showTerms(session.terminal, `profile ${scores.scores.profile} (15 %)`, explanation.profile);
        showTerms(
          session.terminal,
          `tech stack ${scores.scores.techStack} (50 %)`,
          explanation.techStack,
        );
        showTerms(
          session.terminal,
          `activity ${scores.scores.activity} (35 %)`,
          explanation.activity,
        );
        showTerms(session.terminal, `match for ${scores.role}`, explanation.roleMatch);
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}
