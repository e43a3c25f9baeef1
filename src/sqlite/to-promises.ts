import { toStoreFault } from "./store-fault.ts";

/**
 * A port as its SQLite adapter implements it: the same methods, but synchronous, since SQLite's driver is synchronous.
 * Code that never waits needs no lock.
 */
export type Immediate<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/**
 * Makes a port from synchronous methods. Errors become rejections.
 *
 * @param path the file to name in a Fault about a disk, a permission or a lock.
 */
export function toPromises<Port extends object>(path: string, methods: Immediate<Port>): Port {
  return mapMethods(methods, (method) => {
    const named = nameFile(method, path);
    return async (...args) => named(...args);
  }) as Port;
}

/** Converts errors in the same way, for methods that stay synchronous. */
export function guardMethods<Methods extends object>(path: string, methods: Methods): Methods {
  return mapMethods(methods, (method) => nameFile(method, path)) as Methods;
}

/** Converts errors in the same way, for rows that are read one after the other. */
export async function* streamFrom<Row>(
  path: string,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

type Method = (...args: unknown[]) => unknown;

function mapMethods(methods: object, wrap: (method: Method) => Method): object {
  const entries = Object.entries(methods as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === "function" ? wrap(value as Method) : value,
    ]),
  );
}

function nameFile(method: Method, path: string): Method {
  return (...args) => {
    try {
      return method(...args);
    } catch (error) {
      throw toStoreFault(error, path);
    }
  };
}
