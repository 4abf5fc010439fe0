import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ParameterObject } from "../../src/api/openapi/types.ts";
import { routes } from "../../src/api/routes.ts";
import { allowedValues, describedParameters, forbiddenValues } from "../support/described-values.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetApi, sharedFleetApi } from "../support/fleet-api.ts";

/** What the description says in words: `from` is earlier than `to`, and one device has both names. */
const beside: Readonly<Record<string, string>> = {
  from: "to=9999-12-31T23:59:59.999Z",
  to: "from=0000-01-01",
};

/** A request that is right but for the parameter, relative to /v1. */
function requestOf({ fleet }: FleetApi, path: string, { name, in: place }: ParameterObject, value: string): string {
  const filled = path.replace(/\{(\w+)\}/, (_, part) => {
    if (place === "path") return encodeURIComponent(value);
    return part === "kind" ? "fuel" : part === "user_id" ? fleet.anna.id : fleet.van.id;
  });
  if (place !== "query") return `${filled}?device_id=${fleet.van.id}`;
  const device = name === "imei" || name === "device_id" ? [] : [`device_id=${fleet.van.id}`];
  return `${filled}?${[...device, ...[beside[name] ?? []].flat(), `${name}=${encodeURIComponent(value)}`].join("&")}`;
}

/** Filters that take any text are no list of what there is: what is not there is not found. */
const mayNameNothing = ["imei", "device_id", "user_id"];

onEachEngine("the description", (engine) => {
  const given = sharedFleetApi(engine);
  const numRuns = engine.name === "sqlite" ? 60 : 25;
  const parameters = routes.flatMap(({ path }) => describedParameters(path).map((parameter) => ({ path, parameter })));

  test.each(parameters.map((one) => [one.path, one.parameter.name, one.parameter] as const))(
    "property: %s answers whatever it allows for %s, and refuses what it forbids",
    async (path, name, parameter) => {
      const fleetApi = given();
      const { api, key } = fleetApi;
      const mine = await key();
      const ask = (value: string) =>
        parameter.in === "header"
          ? api.get(requestOf(fleetApi, path, parameter, value), mine, { [name]: value.replace(/[^ -~]/g, "") })
          : api.get(requestOf(fleetApi, path, parameter, value), mine);

      // A text that stands for a part of the path is a part: neither nothing nor a step up.
      const allowed = allowedValues(parameter.schema).filter(
        (value) => parameter.in !== "path" || !["", ".", ".."].includes(value),
      );
      await fc.assert(
        fc.asyncProperty(allowed, async (value) => {
          const { status, body } = await ask(value);
          if (name === "cursor" || name === "after") {
            // In words: only what the service has handed out.
            expect([value, status]).toEqual([value, value === "" ? 200 : 400]);
            return;
          }
          const expected = mayNameNothing.includes(name) ? [200, 404] : [200, 304];
          expect([value, status, body?.error?.message, expected.includes(status)]).toEqual([
            value,
            status,
            status === 404 ? body.error.message : undefined,
            true,
          ]);
        }),
        { numRuns },
      );

      const forbidden = forbiddenValues(parameter.schema);
      if (forbidden === null || parameter.in === "header") return;
      await fc.assert(
        fc.asyncProperty(forbidden, async (value) => {
          if (parameter.in === "path" && ["", ".", ".."].includes(value)) return;
          const { status, body } = await ask(value);
          // In words: what a path names and is not there is 404.
          expect([value, status]).toEqual([value, parameter.in === "path" ? 404 : 400]);
          if (status === 400) expect(body.error.message).toStartWith(`${name}: expected `);
        }),
        { numRuns },
      );
    },
  );
});
