import { describe, expect, test } from "bun:test";
import { noSuchDevice } from "../../src/api/input/device-input.ts";
import { Input } from "../../src/api/input/parameter.ts";
import { bodyOfAnyRows, openApiBody, openApiDocument } from "../../src/api/openapi/document.ts";
import type { Operation, ResponseObject } from "../../src/api/openapi/types.ts";
import type { Route, RouteCall } from "../../src/api/route.ts";
import { routes } from "../../src/api/routes.ts";
import { errorTable, Failure } from "../../src/domain/errors.ts";
import { describedAnswer } from "../support/described.ts";

const document = openApiDocument();
const operations = Object.entries(document.paths).map(([path, { get }]): [string, Operation] => [path, get]);
const statusByCode: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(errorTable).map(([code, { status }]) => [code, status]),
);
const servicePaths = ["/health", "/openapi.json"];

function operationOf(route: Route): Operation {
  const operation = document.paths[route.path]?.get;
  if (!operation) throw new Error(`${route.path} is not described`);
  return operation;
}

function responseAt(operation: Operation, status: string): ResponseObject | undefined {
  const response = operation.responses[status];
  if (!response || !("$ref" in response)) return response;
  return document.components.responses[response.$ref.replace("#/components/responses/", "")];
}

interface ErrorExample {
  readonly code: string;
  readonly message: string;
  readonly required_scopes: readonly string[];
  readonly granted_scopes: readonly string[];
}

function exampleOf(operation: Operation, status: number) {
  const example = responseAt(operation, String(status))?.content?.["application/json"].example;
  return (example ?? {}) as { error?: ErrorExample };
}

const responses = operations.flatMap(([path, operation]) =>
  Object.keys(operation.responses).map((status): [string, string, ResponseObject | undefined] => [
    path,
    status,
    responseAt(operation, status),
  ]),
);

describe("the description", () => {
  test("has every route, and nothing that is not there", () => {
    expect(Object.keys(document.paths).toSorted()).toEqual(
      [...routes.map((route) => route.path), ...servicePaths].toSorted(),
    );
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  test("is what is served", () => {
    const whole = JSON.parse(openApiBody());
    expect(whole).toEqual(JSON.parse(JSON.stringify(document)));
    const served = JSON.parse(bodyOfAnyRows());
    // Of rows that `fields` can make shorter only the keys are required; one record alone has all its fields.
    const { schemas } = served.components;
    expect(schemas.TripList.properties.data.items.$ref).toBe("#/components/schemas/TripFields");
    expect(schemas.TripFields.required).toEqual(["trip_id", "device_id"]);
    expect(schemas.DeviceFields.required).toEqual(["device_id"]);
    expect(schemas.Device.required).toContain("name");
    expect(Object.keys(schemas.TripFields.properties)).toEqual(Object.keys(whole.components.schemas.Trip.properties));
    expect(document.info).toMatchObject({ title: "Odograph", version: "1.0.0", license: { identifier: "Apache-2.0" } });
  });

  test("takes the key in either header, and none where none is needed", () => {
    expect(document.security).toEqual([{ bearerAuth: [] }, { apiKeyAuth: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      bearerAuth: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      apiKeyAuth: { type: "apiKey", in: "header", name: "X-API-Key" },
    });
    for (const [path, { security }] of operations) {
      expect(security, path).toEqual(servicePaths.includes(path) ? [] : undefined);
    }
  });

  test("names each route's scope, in words and for machines", () => {
    for (const route of routes) {
      const operation = operationOf(route);
      expect(operation["x-required-scope"]).toBe(route.scope === "any" ? undefined : route.scope);
      expect(operation.description).toContain(route.scope === "any" ? "no scope of its own" : `\`${route.scope}\``);
    }
  });

  test("lists each route's parameters, and If-None-Match once, where it is looked at, and never required", () => {
    for (const route of routes) {
      const listed = operationOf(route).parameters ?? [];
      const own = route.parameters.map((parameter) => parameter.name);
      expect(listed.map((parameter) => parameter.name)).toEqual(route.conditional ? [...own, "If-None-Match"] : own);
      expect(listed.find((parameter) => parameter.name === "If-None-Match")?.required ?? false).toBe(false);
    }
    const conditional = routes.filter((route) => route.conditional);
    expect(openApiBody().match(/"name":"if-none-match"/gi)).toHaveLength(conditional.length);
  });

  test("says that the history needs a device, by either name", () => {
    const parameters = document.paths["/positions/history"]?.get.parameters ?? [];
    const device = parameters.filter(({ name }) => name === "device_id" || name === "imei");
    expect(device.map(({ required }) => required)).toEqual([false, false]);
    expect(device[0]?.description).toContain("Required, unless `imei`");
  });

  test("is plain OpenAPI 3.1, without leftovers of what it was made with", () => {
    expect(openApiBody()).not.toMatch(/"(?:\$schema|\$defs|\$id|nullable|propertyNames)":/);
  });
});

describe("a described answer", () => {
  test.each(responses)("%s %s has an example that satisfies its own schema", (path, status, response) => {
    if (status === "304") {
      expect(response?.content).toBeUndefined();
      return;
    }
    const check = describedAnswer(path, Number(status))?.body;
    const isValid = check?.(response?.content?.["application/json"].example);
    expect(check?.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
  });

  test.each(responses)("%s %s carries the limits and the request's id", (_, __, response) => {
    const names = Object.keys(response?.headers ?? {});
    expect(names.filter((name) => name.startsWith("X-RateLimit-"))).toHaveLength(5);
    expect(names).toContain("X-Request-Id");
  });

  test("is checked more closely by the route itself, which takes the example too", () => {
    for (const route of routes) expect(route.response.safeParse(route.example.response).error).toBeUndefined();
  });

  test("has the status of its code", () => {
    for (const [path, operation] of operations) {
      for (const status of Object.keys(operation.responses).map(Number)) {
        const { error } = status >= 400 && status !== 503 ? exampleOf(operation, status) : {};
        if (error) expect(statusByCode[error.code], `${path} ${status}`).toBe(status);
      }
    }
  });

  test("says what is missing: a key, a scope, patience", () => {
    for (const route of routes) {
      const operation = operationOf(route);
      if (route.isOfCaller) expect(Object.hasOwn(operation.responses, "403")).toBe(false);
      else {
        const { error } = exampleOf(operation, 403);
        const missing = route.scope === "any" ? "trips:read" : route.scope;
        expect(error?.required_scopes).toEqual([missing]);
        expect(error?.granted_scopes).not.toContain(missing);
      }
      expect(Object.keys(responseAt(operation, "401")?.headers ?? {})).toContain("WWW-Authenticate");
      expect(Object.keys(responseAt(operation, "429")?.headers ?? {})).toContain("Retry-After");
    }
  });

  test("is 400 where there is something to get wrong, and names it", () => {
    for (const route of routes) {
      const isQueried = route.parameters.some((parameter) => parameter.in === "query");
      const { error } = exampleOf(operationOf(route), 400);
      if (isQueried) expect(error?.message).toMatch(/^\w+: expected .+, got "/);
      else expect(error).toBeUndefined();
    }
  });

  test("is 404 where something is named that may not be there, in the words of the route", async () => {
    for (const route of routes) {
      const message = exampleOf(operationOf(route), 404).error?.message;
      const inPath = route.parameters.find((parameter) => parameter.in === "path");
      const isNarrowed = route.parameters.some(({ name }) => name === "device_id" || name === "imei");
      if (inPath) expect(message).toBe(await refusalOf(route, new Map([[inPath, "no such thing"]])));
      else if (isNarrowed) expect(message).toBe(noSuchDevice().message);
      else expect(message).toBeUndefined();
    }
  });
});

/** What the route says to these values. What is wrong with them is reported before the store is asked. */
async function refusalOf(route: Route, values: ConstructorParameters<typeof Input>[0]): Promise<string> {
  const read: RouteCall["read"] = (work) => work(undefined as never);
  const call = { input: new Input(values, new Set()), read } as RouteCall;
  try {
    await route.answer(call);
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_FOUND") return error.message;
    throw error;
  }
  throw new Error(`${route.path} answered`);
}
