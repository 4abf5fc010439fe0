import { prefix } from "../../api/route.ts";
import { allScopes } from "../../domain/scopes.ts";
import { portalRoute } from "../route.ts";

/** What the API answers at /v1/…, as the user sees it. The portal has no other way to the fleet's data. */
export const readData = portalRoute(
  "GET /data/*",
  "signed in",
  ({ parts, request, requestId, values, query, session: { visibility }, reading, checkAccess, now }) =>
    parts.api.answerViewer({
      requestId,
      method: request.method,
      path: `${prefix}/${values[0] ?? ""}`,
      query,
      headers: request.headers,
      visibility,
      caller: visibility.userId,
      checkAccess,
      scopes: allScopes,
      reading,
      now,
    }),
);
