import type { Parameter } from "../input/parameter.ts";
import { cursor, limit } from "../input/parameters.ts";
import { maxWindowDays } from "../lists/paging.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { argumentTexts, fieldsText, toolTexts } from "./tool-texts.ts";

/** Rows of a page, unless the model asks for more: 16 KB of JSON. A model reads, and its user pays for, every row. */
export const toolRows = 25;

export type Tool = ReturnType<typeof toolOf>;

function toolOf(route: Route) {
  // Tools answer in JSON.
  const parameters = route.parameters.filter(({ in: place, name }) => place !== "header" && name !== "format");
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
        properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, argumentOf(parameter)])),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  };
}

export function isPaged({ parameters }: Route): boolean {
  return parameters.includes(cursor);
}

/** `listTrips` is `list_trips`. */
function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function descriptionOf(route: Route): string {
  const parts = [toolTexts[route.operationId] ?? route.description];
  if (route.windowed) parts.push("`from` and `to` bound the time; without them it is the last 24 hours.");
  if (route.windowed && isPaged(route)) {
    parts.push(`At most ${maxWindowDays} days at once: a longer window loses its beginning, and the result says so.`);
  }
  if (isPaged(route)) {
    parts.push(
      `A page has ${toolRows} rows unless \`limit\` says otherwise. If \`next_cursor\` is not null there are more: call ` +
        "again with it as `cursor`.",
    );
  }
  return parts.join(" ");
}

function argumentOf(parameter: Parameter<unknown>) {
  // The names of all fields would be longer than all other arguments: they are in every result.
  const { format: _, pattern, ...rest } = parameter.schema;
  const isFields = parameter.name === "fields";
  const schema = pattern === undefined || isFields ? rest : { ...rest, pattern };
  return {
    ...schema,
    ...(parameter === limit ? { default: toolRows } : {}),
    description: isFields ? fieldsText : (argumentTexts.get(parameter) ?? parameter.description),
  };
}

/** Every route is a tool, in the order of the table, so that a client's cached list stays the same. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  routes.map(toolOf).map((tool) => [tool.description.name, tool]),
);
