import { errorTable } from "../domain/errors.ts";
import type { KnownRequests } from "../observe/metrics.ts";
import { mcpPath, mcpStatuses } from "./mcp/answer.ts";
import { openPages } from "./open-pages.ts";
import { publicCodes } from "./openapi/error-responses.ts";
import { routes } from "./routes.ts";

const failures = publicCodes.map((code) => errorTable[code].status);

/** What the API may answer, for the metrics: its routes, what needs no key, and what is refused whatever it asks for. */
export const knownApiRequests: KnownRequests = {
  ...Object.fromEntries(
    routes.map(({ path, conditional }) => [path, [200, ...(conditional ? [304] : []), ...failures]]),
  ),
  ...Object.fromEntries(openPages.values().map(({ route, statuses }) => [route, [...statuses, 405]])),
  [mcpPath]: mcpStatuses,
  other: [400, 404, 413],
};
