import { defaultLimit, maxListRows } from "../input/parameters.ts";
import { prefix, type Route } from "../route.ts";
import { routes } from "../routes.ts";
import { apiVersion } from "../version.ts";
import { errorSchema, sharedErrorResponses } from "./error-responses.ts";
import { headers } from "./headers.ts";
import { withListedFields } from "./listed-fields.ts";
import { operationOf } from "./operation.ts";
import { SchemaCollection } from "./schemas.ts";
import { servicePaths } from "./service-paths.ts";
import type { OpenApiDocument } from "./types.ts";

/** The groups of the routes, in the order shown. A route with another tag is not in the description. */
const tags: Readonly<Record<string, string>> = {
  Account: "Who calls, and what is left of their limits.",
  Changes: "Following a fleet: what became known, was corrected or was withdrawn.",
  Devices: "Vehicles with their trackers, and the alert settings of each.",
  Positions: "Where the vehicles are, and where they have been.",
  Trips: "Drives from one stop to the next.",
  Alerts: "Alarms and events, as the rules of each device raised them.",
  Sensors: "Readings of fuel, temperature and tyre sensors.",
  Geofences: "Areas, the devices they are assigned to, and the crossings of their borders.",
  Users: "Sub-accounts: who sees which part of the fleet.",
  Reports: "Summaries that are computed beforehand.",
  Service: "The service itself. Nothing here needs a key.",
};

/** The first steps, as Markdown, for a reader of the description alone. The reference page explains more. */
const introduction = `Read access to a vehicle fleet: devices, live positions, position history, trips, alerts, sensor readings, geofences and
their crossings, sub-accounts and mileage. Every operation is a \`GET\`; nothing can be changed.

## First steps

1. Create a key with \`odograph keys create\`. It is shown once.
2. Send it with every request, as \`Authorization: Bearer KEY\` or as \`X-API-Key: KEY\`:
   \`curl -H "X-API-Key: $KEY" "$BASE/devices?limit=5"\`
3. Lists have pages of ${defaultLimit} rows, or of \`limit\` (1 to ${maxListRows}). Pass \`next_cursor\` as \`cursor\` until it is null. A short page does not mean the end.
   The next page is also in the header \`Link\`. Lists can be had as CSV, NDJSON, and some as GeoJSON or GPX: by \`format\` or \`Accept\`.
4. For live positions poll \`/positions/latest\` every 10 seconds, with the \`ETag\` of the last answer as \`If-None-Match\`. A 304 is free.
5. To react to what happens, or to keep a copy of the fleet, follow \`/changes\`. Do not read one window after the other: that misses whatever becomes known late.
6. Branch on \`error.code\`, never on \`error.message\`. After a 429 wait for the seconds that \`Retry-After\` gives.

Times are UTC, written as ISO 8601. What is not known is \`null\`; every field is always there. Ignore fields that you do not know: records may gain some.
Call the API from a server, never from a browser or an app: anyone could read the key.`;

function describeApi(routes: readonly Route[]): OpenApiDocument {
  const schemas = new SchemaCollection();
  schemas.add(errorSchema);
  const stray = routes.find((route) => !Object.hasOwn(tags, route.tag));
  if (stray) throw new Error(`${stray.path}: the tag ${stray.tag} has no description`);
  const paths = {
    ...Object.fromEntries(routes.map((route) => [route.path, { get: operationOf(route, schemas) }])),
    ...servicePaths(schemas),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Odograph",
      version: apiVersion,
      summary: "Read access to a vehicle fleet.",
      description: introduction,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: prefix, description: "This server" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }],
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "`Authorization: Bearer KEY`. The key itself is the credential: there is no login and no token.",
        },
        apiKeyAuth: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "`X-API-Key: KEY`. The same key in another header.",
        },
      },
      headers,
      responses: sharedErrorResponses,
      schemas: schemas.components(),
    },
  };
}

let document: OpenApiDocument | undefined;
let ofAnyRows: OpenApiDocument | undefined;
let body: string | undefined;
let anyRowsBody: string | undefined;

/** The description of the whole interface. It is made from the route table, once. Rows are described whole. */
export function openApiDocument(): OpenApiDocument {
  document ??= describeApi(routes);
  return document;
}

/** The same with rows that `fields` may make shorter, for `?rows=any`. */
export function documentOfAnyRows(): OpenApiDocument {
  ofAnyRows ??= withListedFields(openApiDocument(), routes);
  return ofAnyRows;
}

export function openApiBody(): string {
  body ??= JSON.stringify(openApiDocument());
  return body;
}

export function bodyOfAnyRows(): string {
  anyRowsBody ??= JSON.stringify(documentOfAnyRows());
  return anyRowsBody;
}
