import { Fault } from "../../contract/fault.ts";
import { DamagedRow } from "../rows/pack-developer.ts";

/**
 * Recognises reads that fail because the file is damaged: SQLite says so, or a row is not what was written. They are
 * reported, and fail with a Fault that names the file and nothing of the row.
 *
 * @package
 */
export function createDamageGuard(path: string, onDamage: (reason: string) => void) {
  const rethrow = (thrown: unknown): never => {
    const reason = describeDamage(thrown);
    if (reason === undefined) throw thrown;
    onDamage(reason);
    throw new Fault("damaged", `${path} is damaged: ${reason}.`);
  };
  return {
    /** The same methods, watched. */
    guard<Methods extends object>(methods: Methods): Methods {
      const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
      const watched = entries.map(([name, method]) => {
        const call = (...args: unknown[]) => {
          try {
            return method(...args);
          } catch (thrown) {
            return rethrow(thrown);
          }
        };
        return [name, call];
      });
      return Object.fromEntries(watched) as Methods;
    },
    *guardEach<Row>(rows: Iterable<Row>): Generator<Row> {
      try {
        yield* rows;
      } catch (thrown) {
        rethrow(thrown);
      }
    },
  };
}

/** drizzle wraps the errors of SQLite. */
function describeDamage(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedRow) return thrown.message;
  const { code, message, cause } = thrown as { code?: unknown; message?: string; cause?: unknown };
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(SHORT_)?READ)/.test(String(code))) return message;
  return cause === undefined ? undefined : describeDamage(cause);
}
