import type { Reader } from "../../src/store/database.ts";
import type { Sql } from "../../src/store/sql.ts";

/** The same object but for these members. The methods of both keep their `this`. */
export function altered<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(of, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

type Method = (...given: unknown[]) => unknown;

/** The same database or transaction, which tells of each statement that it is asked, also inside of transactions. */
export function noting<Of extends Reader>(reader: Of, note: (query: Sql) => void): Of {
  return new Proxy(reader, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== "function") return value;
      const method = value.bind(of) as Method;
      if (name === "transaction") {
        return (work: (tx: Reader) => unknown) => method((tx: Reader) => work(noting(tx, note)));
      }
      return (...given: unknown[]) => {
        const [query] = given;
        if (typeof query === "object" && query !== null && "text" in query) note(query as Sql);
        return method(...given);
      };
    },
  });
}
