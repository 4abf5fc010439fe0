import { prefix, type Route } from "../route.ts";
import { apiVersion } from "../version.ts";
import { errorSchema, sharedErrorResponses } from "./error-responses.ts";
import { headers } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { operationOf } from "./operation.ts";
import { SchemaCollection } from "./schemas.ts";
import { servicePaths } from "./service-paths.ts";
import { tags } from "./tags.ts";
import type { OpenApiDocument } from "./types.ts";

/** The description of these routes and of what needs no key. */
export function describeApi(routes: readonly Route[]): OpenApiDocument {
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
