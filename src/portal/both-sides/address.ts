import type { CallName } from "./contract/contract.ts";

declare const name: unique symbol;

/** A call with the values of its path and its query, such as `POST /keys/4711/rotate`. */
export type Address<Name extends CallName> = string & { readonly [name]: Name };

/** What can be called: an address, or the name itself where its path needs no values. */
export type CallTarget<Name extends CallName> = Address<Name> | Plain<Name>;
type Plain<Name extends string> = Name extends `${string}{${string}` ? never : Name;

type ParameterOf<Name extends string> = Name extends `${string}{${infer Parameter}}${string}` ? Parameter : never;

/** Null and nothing leave a parameter out. */
export type QueryValues = Readonly<Record<string, QueryValue>>;
type QueryValue = string | number | boolean | null | undefined | readonly string[];

/** For each `{name}` of the path, and what else is asked for. */
export type Values<Name extends CallName> = { readonly [Parameter in ParameterOf<Name>]: string } & QueryValues;

export function to<Name extends CallName>(name: Name, values: Values<Name>): Address<Name> {
  const query = new URLSearchParams();
  let address: string = name;
  for (const [key, value] of Object.entries<QueryValue>(values)) {
    const filled = address.replace(`{${key}}`, encodeURIComponent(String(value)));
    if (filled !== address) address = filled;
    else if (value !== null && value !== undefined && value !== "")
      for (const one of [value].flat()) query.append(key, String(one));
  }
  return (query.size > 0 ? `${address}?${query}` : address) as Address<Name>;
}
