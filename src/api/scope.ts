import type { Principal } from "../access/principal.ts";
import { insufficientScope } from "./refusals.ts";
import type { Route } from "./route.ts";

/** Whether the key may use the route. Nobody else compares scopes. */
export function mayUse({ scope }: Pick<Route, "scope">, { scopes }: Pick<Principal, "scopes">): boolean {
  return scope === "any" || scopes.includes(scope);
}

export function requireScope(route: Pick<Route, "scope">, principal: Pick<Principal, "scopes">): void {
  if (route.scope !== "any" && !mayUse(route, principal)) throw insufficientScope([route.scope], principal);
}
