import { Fault } from "../../contract/fault.ts";
import type { Immediate } from "../../sqlite/to-promises.ts";
import { DamagedRow } from "./unpack.ts";

/**
 * Turns a read that fails because of damage into a Fault that names the database but shows nothing of the row. It
 * recognizes damage that SQLite reports, and rows with invalid content.
 *
 * @param place the database.
 * @param onDamage called for each failed read. The reason names no person.
 */
export function createDamageGuard(place: string, onDamage: (reason: string) => void = () => {}) {
  const rethrow = (thrown: unknown): never => {
    const reason = describeDamage(thrown);
    if (reason === undefined) throw thrown;
    onDamage(reason);
    throw new Fault("damaged", `${place} is damaged: ${reason}.`);
  };
  return {
    /** @returns the same methods, guarded. Synchronous methods then return promises. */
    guard<Port extends object>(methods: Port | Immediate<Port>): Port {
      const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
      const guarded = entries.map(([name, method]) => {
        const call = (...args: unknown[]) => {
          try {
            const answer = method(...args);
            return answer instanceof Promise ? answer.catch(rethrow) : Promise.resolve(answer);
          } catch (thrown) {
            return Promise.try(rethrow, thrown);
          }
        };
        return [name, call];
      });
      return Object.fromEntries(guarded) as Port;
    },
    async *guardEach<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
      try {
        yield* rows;
      } catch (thrown) {
        rethrow(thrown);
      }
    },
  };
}

/**
 * Converts each row of a guarded stream. If a conversion finds a damaged row, the error is thrown into the stream,
 * which knows the name of the database.
 */
export async function* readRows<Row, Read>(
  rows: AsyncGenerator<readonly Row[]>,
  read: (row: Row) => Read,
): AsyncGenerator<readonly Read[]> {
  for await (const batch of rows) {
    try {
      yield batch.map(read);
    } catch (thrown) {
      await rows.throw(thrown);
      throw thrown;
    }
  }
}

/** SQLite's errors are wrapped as causes of others. */
function describeDamage(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedRow) return thrown.message;
  const { code, message, cause } = thrown as { code?: unknown; message?: string; cause?: unknown };
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(SHORT_)?READ)/.test(String(code))) return message;
  return cause === undefined ? undefined : describeDamage(cause);
}
