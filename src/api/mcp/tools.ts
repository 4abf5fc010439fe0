import { nearParameter } from "../input/near.ts";
import type { Parameter } from "../input/parameter.ts";
import { limit } from "../input/parameters.ts";
import { maxWindowDays } from "../lists/paging.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { costText, isList, isPaged, pageRows } from "./tool-budget.ts";
import { hasFields, toolFields } from "./tool-fields.ts";
import { skippedRows } from "./tool-rows.ts";
import { argumentTexts, toolTexts } from "./tool-texts.ts";

export type Tool = ReturnType<typeof toolOf>;

function toolOf(route: Route) {
  const parameters = toolArguments(route);
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
        properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, argumentOf(route, parameter)])),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  };
}

/** What the route takes, in JSON, and how much of it a model wants to see. */
function toolArguments(route: Route): readonly Parameter<unknown>[] {
  const own = ["format", "include_names", toolFields.name];
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
  if (route.windowed) parts.push("`from` and `to` bound the time; without them it is the last 24 hours.");
  if (route.windowed && isPaged(route)) {
    parts.push(`At most ${maxWindowDays} days: a longer window loses its beginning, and the result says so.`);
  }
  parts.push(costText(route));
  return parts.join(" ");
}

function argumentOf(route: Route, parameter: Parameter<unknown>) {
  const { format: _, ...schema } = parameter.schema;
  return {
    ...schema,
    ...(parameter === limit ? { default: pageRows(route) } : {}),
    description: argumentTexts.get(parameter) ?? parameter.description,
  };
}

/** Every route is a tool, in the order of the table, so that a client's cached list stays the same. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  routes.map(toolOf).map((tool) => [tool.description.name, tool]),
);
