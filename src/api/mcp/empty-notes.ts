import type { Route } from "../route.ts";
import { followedAfter } from "../routes/changes.ts";
import { maxAge } from "../routes/positions-at.ts";
import type { ToolRow } from "./tool-fields.ts";

interface EmptyRequest {
  readonly tool: { readonly route: Route };
  readonly query: URLSearchParams;
  readonly unchecked: readonly string[];
}

/** That there is nothing is an answer, too: it must not look like a fault, nor like more than it says. */
export function emptyNotes({ tool, query, unchecked }: EmptyRequest, rows: readonly ToolRow[]): string[] {
  if (rows.length > 0) return [];
  const { parameters } = tool.route;
  if (parameters.includes(followedAfter) && !query.get(followedAfter.name) && !query.get("cursor")) {
    return ["Changes are reported from now on: the next call's `after` is this `resume_after`."];
  }
  const notes = ["Nothing matches: there are no such rows."];
  if (parameters.includes(maxAge)) {
    const seconds = query.get(maxAge.name) ?? maxAge.schema.default;
    notes.push(`Vehicles whose last position was over ${seconds} s old then are left out (\`${maxAge.name}\`).`);
  }
  for (const name of unchecked) {
    const said = `\`${name}\` was taken as written, ${JSON.stringify(query.get(name))}`;
    notes.push(`${said}: this key lacks the scope to look up whether there is such a one.`);
  }
  return notes;
}
