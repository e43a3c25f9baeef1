import { Fault } from "../../contract/fault.ts";
import { DamagedRow } from "./pack-developer.ts";

/** Turns a read that fails because of damage into a Fault that names the database and shows nothing of the row. */
export interface DamageGuard {
  /** @returns the same methods, guarded. */
  guard<Methods extends object>(methods: Methods): Methods;
  guardEach<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row>;
}

/**
 * Recognises damage where SQLite reports it, or a row is not what was written.
 *
 * @param place the database.
 * @param onDamage called for each such read. The reason names no person.
 */
export function createDamageGuard(
  place: string,
  onDamage: (reason: string) => void = () => {},
): DamageGuard {
  const rethrow = (thrown: unknown): never => {
    const reason = describeDamage(thrown);
    if (reason === undefined) throw thrown;
    onDamage(reason);
    throw new Fault("damaged", `${place} is damaged: ${reason}.`);
  };
  return {
    guard<Methods extends object>(methods: Methods): Methods {
      const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
      const guarded = entries.map(([name, method]) => {
        const call = async (...args: unknown[]) => {
          try {
            return await method(...args);
          } catch (thrown) {
            return rethrow(thrown);
          }
        };
        return [name, call];
      });
      return Object.fromEntries(guarded) as Methods;
    },
    async *guardEach(rows) {
      try {
        yield* rows;
      } catch (thrown) {
        rethrow(thrown);
      }
    },
  };
}

/** Errors of SQLite are causes of others. */
function describeDamage(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedRow) return thrown.message;
  const { code, message, cause } = thrown as { code?: unknown; message?: string; cause?: unknown };
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(SHORT_)?READ)/.test(String(code))) return message;
  return cause === undefined ? undefined : describeDamage(cause);
}
