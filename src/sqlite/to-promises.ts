import { toStoreFault } from "./store-fault.ts";

/** A port without promises, as its SQLite adapter implements it: SQLite is synchronous, and synchronous code needs no lock. */
export type Immediate<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/**
 * Makes a port from synchronous methods. Their errors become rejections that name the file.
 * @param path the file to name in messages about a disk, a permission or a lock.
 */
export function toPromises<Port extends object>(path: string, methods: Immediate<Port>): Port {
  return mapMethods(methods, (method) => {
    const named = nameFile(method, path);
    return async (...args) => named(...args);
  }) as Port;
}

/** Makes the errors of synchronous methods name the file. */
export function guardMethods<Methods extends object>(path: string, methods: Methods): Methods {
  return mapMethods(methods, (method) => nameFile(method, path)) as Methods;
}

/** Makes errors name the file, for rows that are read one after the other. */
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
