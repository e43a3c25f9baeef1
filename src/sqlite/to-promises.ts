import { toStoreFault } from "./store-fault.ts";

/** A port without promises. SQLite adapters implement it, because SQLite is synchronous. */
export type Immediate<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/**
 * Makes a port from synchronous methods. An error of a method becomes a rejection.
 * @param path the file to name in messages.
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

/** Passes on rows, and makes errors name the file. */
export async function* streamFrom<Row>(path: string, rows: Iterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

type Method = (...args: unknown[]) => unknown;

function mapMethods(methods: object, wrap: (method: Method) => Method): object {
  const entries = Object.entries(methods as Record<string, Method>);
  return Object.fromEntries(entries.map(([name, method]) => [name, wrap(method)]));
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
