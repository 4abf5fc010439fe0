import type { KnownRequests } from "../observe/metrics.ts";
import { messageFormats } from "./messages.ts";

/** What the ingest port may answer, for the metrics. */
export const knownIngestRequests: KnownRequests = {
  ...Object.fromEntries(
    Object.keys(messageFormats).map((path) => [`ingest ${path}`, [200, 400, 401, 405, 408, 413, 429, 500, 503]]),
  ),
  "ingest /ready": [405],
  "ingest /metrics": [405],
  "ingest unknown path": [400, 404],
};
