import { type Fragment, type Html, html, joined } from "./html.ts";

/** Lists of plain values that are shorter than this stay on one line. */
const longestLine = 60;

/** JSON laid out for a person, with its parts marked. */
export function renderJson(value: unknown, indent = ""): Fragment {
  if (value === null || typeof value !== "object") return scalar(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (isShort(value))
      return [
        "[",
        joined(
          value.map((item) => renderJson(item)),
          ", ",
        ),
        "]",
      ];
    const items = value.map((item): Fragment => [inner, renderJson(item, inner)]);
    return ["[\n", joined(items, ",\n"), `\n${indent}]`];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const lines = entries.map(
    ([key, item]): Fragment => [
      inner,
      html`<span class="key">${JSON.stringify(key)}</span>: `,
      renderJson(item, inner),
    ],
  );
  return ["{\n", joined(lines, ",\n"), `\n${indent}}`];
}

function isShort(list: readonly unknown[]): boolean {
  const isFlat = list.every((item) => item === null || typeof item !== "object");
  return isFlat && JSON.stringify(list).length <= longestLine;
}

function scalar(value: unknown): Html {
  const kind = typeof value === "string" ? "string" : typeof value === "number" ? "number" : "literal";
  return html`<span class="${kind}">${JSON.stringify(value)}</span>`;
}
