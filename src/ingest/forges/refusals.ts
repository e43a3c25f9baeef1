/** What a forge refuses without being wrong: a walk goes on with something else, or later. */

/** The forge's limit is used up for longer than a run may wait. */
export class ForgePause extends Error {
  override readonly name = "ForgePause";
  /** When to go on, in milliseconds since 1970. */
  readonly until: number;
  constructor(until: number) {
    super(`The forge asks to wait until ${new Date(until).toISOString()}.`);
    this.until = until;
  }
}

/** The token may not read this; other things it may. */
export class ForgeDenial extends Error {
  override readonly name = "ForgeDenial";
}

/** A list that is not there, such as that of an organisation that was deleted. For adapters to throw. */
export class MissingList extends Error {
  override readonly name = "MissingList";
}

/** The server could not answer: a smaller question may succeed. */
export class ForgeOverload extends Error {
  override readonly name = "ForgeOverload";
}
