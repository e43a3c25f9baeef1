/** Explains why a run left out repositories, and what helps. */
import { Fault, isFault } from "../../../contract/fault.ts";

export interface RepositoryRefusal {
  /** A path, or the address of a mirror that could not be fetched. */
  readonly path: string;
  readonly reason: string;
  readonly remedy: string;
  /** Whether the repository has no commits yet. */
  readonly isEmpty?: boolean;
}

/** A fault of one repository. The other repositories are still read. */
export class RepositoryFault extends Fault {
  readonly remedy: string;
  readonly isEmpty: boolean;

  constructor(reason: string, remedy: string, isEmpty = false) {
    super("git", reason);
    this.remedy = remedy;
    this.isEmpty = isEmpty;
  }
}

export function createTooLargeFault(what: string): RepositoryFault {
  return new RepositoryFault(
    `its history is too large: ${what}.`,
    "A shallow clone has less history: `git clone --depth` or `--shallow-since`.",
  );
}

const missing = {
  reason: "objects are missing, as in a partial clone, or damaged.",
  remedy: "Clone it again without --filter, or copy the missing objects from another clone.",
};

export function createMissingFault(): RepositoryFault {
  return new RepositoryFault(missing.reason, missing.remedy);
}

/** @returns undefined for an error that does not concern this repository alone, and therefore ends the run. */
export function refuseRepository(path: string, error: unknown): RepositoryRefusal | undefined {
  if (error instanceof RepositoryFault) {
    const { message: reason, remedy, isEmpty } = error;
    return { path, reason, remedy, ...(isEmpty && { isEmpty }) };
  }
  if (isFault(error, "time_limit")) {
    const remedy =
      "Allow more time by that setting, or read fewer repositories at a time. What was read before stays.";
    return { path, reason: error.message, remedy };
  }
  if (isFault(error, "git")) return { path, ...describeGitFault(error) };
  // An unreadable file, or a link to itself, causes a system error.
  if (error instanceof Error && "syscall" in error) return { path, ...describeUnreadable(error) };
  return undefined;
}

type Words = Pick<RepositoryRefusal, "reason" | "remedy">;

export function describeUnreadable(error: unknown): Words {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EPERM") return unreadable;
  if (code === "ENOSPC") return noSpace;
  const reason = `not readable: ${error instanceof Error ? error.message : String(error)}`;
  return {
    reason,
    remedy: "Repair or remove the file in the message, or clone the repository again.",
  };
}

const unreadable: Words = {
  reason: "not readable by this user.",
  remedy: "Let the user that runs Roster read it (`chmod -R a+rX`), or read it as its owner.",
};

const noSpace: Words = {
  reason: "no space is left on the disk of temporary files.",
  remedy:
    "Free some there, or set TMPDIR to another folder. A bundle needs its own size once more.",
};

function describeGitFault(error: Fault): Words {
  const said = `${error.message}\n${String(error.cause)}`;
  const [, words] = known.find(([pattern]) => pattern.test(said)) ?? [];
  const reason = error.message.replace(/[^.]$/, "$&.");
  return { reason, remedy: fallback, ...words };
}

const again = "Make or copy it again, then check it with `git bundle verify FILE` in a clone.";
const fallback = "Clone it again, or run `git fsck` in it to see what is wrong.";

/** Explanations by git's message; the first matching pattern counts. */
const known: readonly (readonly [RegExp, Partial<Words>])[] = [
  [
    /setting ingest\.gitMemory/,
    { remedy: "Raise that setting if the machine has enough memory, or read fewer at a time." },
  ],
  [/permission denied/i, unreadable],
  [/no space left/i, noSpace],
  [
    /prerequisite/,
    {
      reason: "incomplete bundle: it needs commits that it does not hold.",
      remedy: "Make it with `git bundle create FILE --all`.",
    },
  ],
  [
    /early EOF|index-pack|pack signature|unrecognized header/,
    { reason: "damaged bundle: it ends too early or was changed.", remedy: again },
  ],
  [
    /not a git repository/,
    { reason: "not a git repository.", remedy: "Name the folder of a clone or of a bare mirror." },
  ],
  [
    /ended by SIG/,
    {
      remedy: "If the system ended git because memory ran out, read fewer repositories at a time.",
    },
  ],
  // Messages of git 2.32 to 2.51.
  [
    /unable to (?:read|stream)|could not read|failed to traverse parents|is corrupt|bad (?:object|tree)|not a tree|unable to unpack|hash mismatch|missing (?:object|tree|blob)/i,
    missing,
  ],
];
