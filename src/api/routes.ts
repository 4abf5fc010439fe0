import type { Route } from "./route.ts";

/** Everything under /v1 that needs a key. */
export const routes: readonly Route[] = [];
