import { alertTypes } from "../../domain/alert-types.ts";
import { alertType } from "../input/filters.ts";
import { geometryForm } from "../input/geometry-form.ts";
import { nearParameter } from "../input/near.ts";
import type { Parameter, ParameterSchema } from "../input/parameter.ts";
import { deviceId, imeiParameter, limit } from "../input/parameters.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { costText, isList, isPaged, pageRows } from "./tool-budget.ts";
import { hasFields, toolFields } from "./tool-fields.ts";
import { skippedRows } from "./tool-rows.ts";
import { argumentTexts, toolTexts } from "./tool-texts.ts";

export type Tool = ReturnType<typeof toolOf>;

function toolOf(route: Route) {
  const parameters = toolArguments(route);
  // `device_id` takes an IMEI as well: a model need not read of both.
  const hidden = parameters.some(({ name }) => name === deviceId.name) ? [imeiParameter.name] : [];
  const shown = parameters.filter(({ name }) => !hidden.includes(name));
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    route,
    parameters,
    description: {
      name: toolName(route.operationId),
      title: route.summary,
      description: descriptionOf(route),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(shown.map((parameter) => [parameter.name, argumentOf(route, parameter)])),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
  };
}

/** What the route takes, in JSON, and how much of it a model wants to see. */
function toolArguments(route: Route): readonly Parameter<unknown>[] {
  // Areas are for maps: the route answers them in GeoJSON alone.
  const own = ["format", "include_names", geometryForm.name, toolFields.name];
  const taken = route.parameters.filter(
    ({ in: place, name, isDeprecated }) => place !== "header" && !isDeprecated && !own.includes(name),
  );
  const isWhole = isList(route) && (!isPaged(route) || route.parameters.includes(nearParameter));
  return [...taken, ...(hasFields(route) ? [toolFields] : []), ...(isWhole ? [skippedRows] : [])];
}

/** `listTrips` is `list_trips`. */
function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function descriptionOf(route: Route): string {
  const parts = [toolTexts[route.operationId] ?? route.description];
  if (route.windowed) parts.push("`from` and `to` bound the time.");
  parts.push(costText(route));
  return parts.join(" ");
}

function argumentOf(route: Route, parameter: Parameter<unknown>) {
  const { type, enum: values, default: usual } = parameter === alertType ? alertTypeSchema : parameter.schema;
  return {
    type,
    ...(values && { enum: values }),
    ...(usual !== undefined && { default: usual }),
    ...(parameter === limit ? { default: pageRows(route) } : {}),
    description: argumentTexts.get(parameter) ?? parameter.description,
  };
}

/** The API takes any text. */
const alertTypeSchema: ParameterSchema = { type: "string", enum: alertTypes };

/** Every route is a tool, in the order of the table, so that a client's cached list stays the same. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  routes.map(toolOf).map((tool) => [tool.description.name, tool]),
);
