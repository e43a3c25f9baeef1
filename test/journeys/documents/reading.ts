/** One document, as somebody reads it who does what it says. */
import type { Said } from "../desk.ts";
import type { Machine } from "./machine.ts";

export interface Reading {
  readonly document: string;
  /** What is not here and the reader needs, if anything. */
  readonly lacks?: string | undefined;
  /** Gives the machine what the reader has before the first line. */
  readonly prepare: (machine: Machine) => Promise<void>;
  /** What the document says of its commands besides showing it, and every remark on one. */
  readonly sayings: readonly Saying[];
}

export interface Saying {
  /** As they stand in the document. */
  readonly words: string;
  /** The words with which the command begins that they are about; without either, the words are the remark on it. */
  readonly before?: string;
  readonly after?: string;
  /** Looks whether it is so. */
  see(machine: Machine, said: Said, command: string): void | Promise<void>;
}
