import { z } from "zod";
import { apiVersion, programVersion } from "../version.ts";
import { headersWith } from "./headers.ts";
import type { SchemaCollection } from "./schemas.ts";
import type { OpenApiDocument, ResponseObject } from "./types.ts";

const healthStatuses = ["ok", "unavailable", "draining"] as const;
export type HealthStatus = (typeof healthStatuses)[number];

const healthSchema = z
  .strictObject({
    status: z
      .enum(healthStatuses)
      .describe(
        "`unavailable`: the store does not answer. `draining`: the server still answers, but is about to stop.",
      ),
    version: z.string().describe("The version of this interface."),
    program: z.string().describe("The version of the program that answers."),
  })
  .meta({ id: "Health", description: "Whether the service can answer." });

const descriptionSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .meta({ id: "Description", description: "An OpenAPI 3.1 document." });

export function servicePaths(schemas: SchemaCollection): OpenApiDocument["paths"] {
  const answer = (description: string, schema: z.ZodType, example: unknown): ResponseObject => ({
    description,
    headers: headersWith("X-Ignored-Parameters"),
    content: { "application/json": { schema: schemas.add(schema), example } },
  });
  const health = (status: HealthStatus, meaning: string) =>
    answer(meaning, healthSchema, { status, version: apiVersion, program: programVersion });
  return {
    "/health": {
      get: {
        operationId: "getHealth",
        tags: ["Service"],
        summary: "Whether the service can answer",
        description: "For load balancers and monitors. It needs no key, costs no quota and is never refused.",
        security: [],
        "x-example-request": "/health",
        responses: {
          200: health("ok", "The store answers."),
          503: health("unavailable", "The store does not answer, or the server is about to stop."),
        },
      },
    },
    "/openapi.json": {
      get: {
        operationId: "getDescription",
        tags: ["Service"],
        summary: "This description",
        description:
          "The machine-readable description of this interface. It needs no key. `/openapi.json?rows=any` is the one for clients that " +
          "use `fields`: there only the keys of a row are required.",
        security: [],
        "x-example-request": "/openapi.json",
        responses: {
          200: answer("An OpenAPI 3.1 document.", descriptionSchema, {
            openapi: "3.1.0",
            info: { title: "Odograph", version: apiVersion },
            paths: {},
          }),
          429: { $ref: "#/components/responses/RateLimited" },
        },
      },
    },
  };
}
