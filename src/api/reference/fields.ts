import type { OpenApiDocument, Schema } from "../openapi/types.ts";
import { type Fragment, type Html, html } from "./html.ts";
import { breakable, inline, rowName, table } from "./prose.ts";
import { describeType, resolve, withoutNull } from "./schema-text.ts";

/** The place of a table of fields: the prefix of its anchors. */
interface Place {
  readonly document: OpenApiDocument;
  readonly operationId: string;
}

/** One table for the fields of a record, or, where the record is one of several, one for each and one for all of them. */
export function fieldTables(schema: Schema, document: OpenApiDocument, operationId: string): Html[] {
  const place = { document, operationId };
  const record = resolve(schema, document);
  if (!record.oneOf) return [fieldTable(place, "Fields", record.properties ?? {}, "")];
  const variants = record.oneOf.map((variant) => resolve(variant, document));
  const shared = sharedProperties(variants);
  const own = variants.map((variant) => {
    const properties = Object.entries(variant.properties ?? {}).filter(([name]) => !Object.hasOwn(shared, name));
    const label = discriminator(variant);
    return fieldTable(place, `Fields where it is ${label}`, Object.fromEntries(properties), `${label}.`);
  });
  return [fieldTable(place, "Fields of all kinds", shared, ""), ...own];
}

/** What all variants say in the same words. */
function sharedProperties(variants: readonly Schema[]): Record<string, Schema> {
  const [first, ...others] = variants;
  const plain = ({ examples: _, ...rest }: Schema) => rest;
  const entries = Object.entries(first?.properties ?? {}).filter(([name, schema]) =>
    others.every(({ properties }) => Bun.deepEquals(plain(properties?.[name] ?? {}), plain(schema))),
  );
  return Object.fromEntries(entries);
}

function discriminator(variant: Schema): string {
  return String(Object.values(variant.properties ?? {}).find((schema) => schema.const !== undefined)?.const ?? "other");
}

function fieldTable(place: Place, caption: string, properties: Readonly<Record<string, Schema>>, prefix: string): Html {
  const rows = Object.entries(properties).flatMap(([name, schema]) => fieldRows(place, "", name, schema, prefix));
  return table({ caption, isCaptionSeen: caption !== "Fields", columns: ["Field", "Meaning"], rows });
}

function fieldRows(place: Place, outer: string, name: string, schema: Schema, prefix: string): Html[] {
  const { document, operationId } = place;
  const path = outer + name;
  const { schema: plain } = withoutNull(schema, document);
  const id = `${operationId}-field-${prefix}${path}`;
  const row = html`<tr id="${id}">
<th scope="row" class="half">${rowName(fieldName(outer, name), id)}
<span class="type row-type">${describeType(schema, document, name)}</span></th>
<td>${inline(plain.description ?? "")}${plain.oneOf ? variantList(plain.oneOf, document) : null}</td>
</tr>
`;
  return [row, ...innerRows(place, path, plain, prefix)];
}

function fieldName(outer: string, name: string): Fragment {
  return outer === "" ? breakable(name) : [html`<span class="outer">${outer}</span><wbr>`, breakable(name)];
}

function innerRows(place: Place, path: string, schema: Schema, prefix: string): Html[] {
  const rowsOf = (properties: Readonly<Record<string, Schema>>, outer: string) =>
    Object.entries(properties).flatMap(([name, inner]) => fieldRows(place, outer, name, inner, prefix));
  if (schema.properties) return rowsOf(schema.properties, `${path}.`);
  if (schema.type !== "array" || typeof schema.items !== "object") return [];
  return rowsOf(resolve(schema.items, place.document).properties ?? {}, `${path}[].`);
}

function variantList(variants: readonly Schema[], document: OpenApiDocument): Html {
  const items = variants.map((variant) => {
    const { properties = {}, description = "" } = resolve(variant, document);
    const others = Object.entries(properties).filter(([, schema]) => schema.const === undefined);
    const inside = others.map(
      ([name, schema]) =>
        html` <code>${name}</code>: <span class="type">${describeType(schema, document, name)}</span>`,
    );
    return html`<li><code>${discriminator({ properties })}</code> ${inline(description)}${inside}</li>`;
  });
  return html`<ul>${items}</ul>`;
}
