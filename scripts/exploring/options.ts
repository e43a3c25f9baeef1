/** Options of the scripts that draw. */
import { InvalidArgumentError } from "commander";

export function asPositive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("must be a number above 0");
}

export function asSeed(text: string): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(value) < 2 ** 31) return value;
  throw new InvalidArgumentError("must be a whole number of at most 31 bits");
}
