import { Fault } from "../../contract/fault.ts";
import type { Immediate } from "../../sqlite/to-promises.ts";
import { DamagedRow } from "./unpack.ts";

/**
 * Creates guards that turn an error about damaged data into a Fault. The Fault names the database but shows nothing of the row.
 * @param place the database, as messages name it.
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
    /** Makes each method guarded and asynchronous. */
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

/** Converts each row of a guarded stream. A damaged row becomes a Fault. */
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

/** Describes the damage that an error reports. Undefined if the error reports no damage. */
function describeDamage(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedRow) return thrown.message;
  const { code, message, cause } = thrown as { code?: unknown; message?: string; cause?: unknown };
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(SHORT_)?READ)/.test(String(code))) return message;
  return cause === undefined ? undefined : describeDamage(cause);
}
