import { defaultLimit, maxRows } from "../input/parameters.ts";

/** The first steps, as Markdown, for a reader of the description alone. The reference page explains more. */
export const introduction = `Read access to a vehicle fleet: devices, live positions, position history, trips, alerts, sensor readings, geofences and
their crossings, sub-accounts and mileage. Every operation is a \`GET\`; nothing can be changed.

## First steps

1. Create a key with \`odograph keys create\`. It is shown once.
2. Send it with every request, as \`Authorization: Bearer KEY\` or as \`X-API-Key: KEY\`:
   \`curl -H "X-API-Key: $KEY" "$BASE/devices?limit=5"\`
3. Lists have pages of ${defaultLimit} rows, or of \`limit\` (1 to ${maxRows}). Pass \`next_cursor\` as \`cursor\` until it is null. A short page does not mean the end.
   The next page is also in the header \`Link\`. Lists can be had as CSV, NDJSON, and some as GeoJSON or GPX: by \`format\` or \`Accept\`.
4. For live positions poll \`/positions/latest\` every 10 seconds, with the \`ETag\` of the last answer as \`If-None-Match\`. A 304 is free.
5. To react to what happens, or to keep a copy of the fleet, follow \`/changes\`. Do not read one window after the other: that misses whatever becomes known late.
6. Branch on \`error.code\`, never on \`error.message\`. After a 429 wait for the seconds that \`Retry-After\` gives.

Times are UTC, written as ISO 8601. What is not known is \`null\`; every field is always there. Ignore fields that you do not know: records may gain some.
Call the API from a server, never from a browser or an app: everybody could read the key.`;
