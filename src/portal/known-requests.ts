import type { KnownRequests } from "../observe/metrics.ts";
import { apiPath } from "./route.ts";
import { readData } from "./routes/data.ts";
import { createPortalKey, rotatePortalKey } from "./routes/keys.ts";
import { createShare } from "./routes/shares.ts";
import { portalRoutes } from "./routes.ts";

const done = { GET: [200], POST: [200, 201, 202, 204], PUT: [200, 204], DELETE: [200, 204] } as const;
const failures = [400, 401, 403, 404, 408, 413, 429, 500, 503];

/** Two people may edit one record of the fleet; some things cannot be had now. */
const conflicts = (path: string) =>
  ["/fleet/", "/notifications", "/planned-reports", "/email/", "/demo-account"].some((beginning) =>
    path.startsWith(beginning),
  )
    ? [409]
    : [];

/** What the portal may answer, for the metrics. Several methods of a path are one route there. */
export const knownPortalRequests: KnownRequests = {
  ...Object.fromEntries(
    Map.groupBy(portalRoutes, ({ path }) => path)
      .entries()
      .map(([path, routes]) => {
        const succeeded = routes.flatMap(({ method }) => done[method]);
        return [apiPath + path, [...succeeded, ...conflicts(path), ...failures]];
      }),
  ),
  [apiPath + readData.path]: [200, 304, ...failures],
  [apiPath + createPortalKey.path]: [200, 201, 409, ...failures],
  [apiPath + rotatePortalKey.path]: [201, 409, ...failures],
  [apiPath + createShare.path]: [200, 201, 409, ...failures],
  "/portal": [200, 304, 405, 500],
  "/share": [200, 304, 405, 500],
  "/portal/assets": [200, 304, 404, 405, 500],
  "/portal/tiles": [200, 204, 401, 404, 405, 429, 500, 503],
  "/portal/unsubscribe": [200, 404, 500, 503],
  other: [404, 405],
};
