import type { OpenApiDocument, Operation, ParameterObject, ResponseObject, Schema } from "../openapi/types.ts";
import { callOf } from "./calls.ts";
import { type Fragment, type Html, html, joinedHtml } from "./html.ts";
import {
  breakable,
  codeBlock,
  heading,
  inline,
  paragraphs,
  renderJson,
  rowName,
  sampleBlock,
  tableHtml,
} from "./prose.ts";
import { describeType, resolve, withoutNull } from "./schema-text.ts";

export function endpoint(path: string, operation: Operation, document: OpenApiDocument): Html {
  const { operationId, summary, parameters = [] } = operation;
  const answer = responseOf(operation, "200", document);
  const media = answer?.content?.["application/json"];
  const call = callOf(path, operation, document);
  return html`<article aria-labelledby="${operationId}" data-call="${JSON.stringify(call)}">
${heading(3, operationId, summary, summary)}
<p class="route"><span class="method">GET</span> <code class="path">${markedPath(path)}</code></p>
<div class="columns">
<div class="words">
${paragraphs(withoutScope(operation))}
${need(operation)}
${parameters.length > 0 ? [partHeading(operation, "parameters", "Parameters"), parameterTable(operation, document)] : null}
${media ? [partHeading(operation, "answer", "Answer"), answerPart(operation, media.schema, document), otherFormats(answer)] : null}
${partHeading(operation, "statuses", "Statuses")}
${statusTable(operation, document)}
</div>
<div class="samples">
${sampleBlock(call)}
${media ? codeBlock("Answer", renderJson(media.example)) : null}
</div>
</div>
</article>
`;
}

function partHeading({ operationId, summary }: Operation, part: string, text: string): Html {
  return heading(4, `${operationId}-${part}`, text, `${text}: ${summary}`);
}

function markedPath(path: string): Fragment[] {
  const parts = path.split(/(\{[^}]+\})/);
  return parts.map((part) => (part.startsWith("{") ? html`<span class="variable">${part}</span>` : part));
}

/** The description names its scope for readers of the description alone; here it is shown separately. */
function withoutScope(operation: Operation): string {
  return operation.description.replace(/\n\nNeeds (the|no) scope .*$/, "");
}

function need({ "x-required-scope": scope, security, responses }: Operation): Html {
  if (scope === undefined && security?.length === 0) return html`<p class="need">Needs no key.</p>`;
  if (scope === undefined && !Object.hasOwn(responses, "403")) return html`<p class="need">Works with any key.</p>`;
  if (scope === undefined)
    return html`<p class="need">Each type needs the <a href="#scopes">scope</a> of its list.</p>`;
  return html`<p class="need">Needs the scope <a href="#scope-${scope}"><code>${scope}</code></a>.</p>`;
}

function parameterTable({ operationId, parameters = [] }: Operation, document: OpenApiDocument): Html {
  const rows = parameters.map((parameter) => parameterRow(operationId, parameter, document));
  return tableHtml({ caption: "Parameters", columns: ["Parameter", "Meaning"], rows });
}

function parameterRow(operationId: string, parameter: ParameterObject, document: OpenApiDocument): Html {
  const id = `${operationId}-parameter-${parameter.name}`;
  const place = parameter.in === "query" ? null : html` <span class="place">${parameter.in}</span>`;
  const required = parameter.required ? html` <span class="place">required</span>` : null;
  return html`<tr id="${id}">
<th scope="row" class="half">${rowName(breakable(parameter.name), id)}${place}${required}
<span class="type row-type">${describeType(parameter.schema, document)}</span></th>
<td>${inline(parameter.description)}</td>
</tr>
`;
}

/** The envelope in a sentence, and the fields of what is in it. */
function answerPart({ operationId }: Operation, schema: Schema, document: OpenApiDocument): Html[] {
  const body = resolve(schema, document);
  const data = body.properties?.data;
  if (!data) return fieldTables(body, document, operationId);
  const isList = data.type === "array" && typeof data.items === "object";
  const record = resolve(isList ? (data.items as Schema) : data, document);
  const pages = body.properties?.next_cursor?.type === "null" ? "without pages" : "with pages";
  const envelope = isList
    ? html`<p>A <a href="#paging">list</a> ${pages}. Each record of <code>data</code>: ${inline(lowered(record.description))}</p>`
    : html`<p>One record, in <code>data</code>: ${inline(lowered(record.description))}</p>`;
  return [envelope, ...fieldTables(record, document, operationId)];
}

function otherFormats(answer: ResponseObject | null): Html | null {
  const types = Object.keys(answer?.content ?? {}).filter((type) => type !== "application/json");
  if (types.length === 0) return null;
  const names = types.map((type) => html`<code>${breakable(type)}</code>`);
  return html`<p>Also in other <a href="#formats">formats</a>: ${joinedHtml(names, ", ")}.</p>`;
}

function lowered(text = ""): string {
  return /^[A-Z][a-z' ]/.test(text) ? (text[0] ?? "").toLowerCase() + text.slice(1) : text;
}

function statusTable(operation: Operation, document: OpenApiDocument): Html {
  const rows = Object.keys(operation.responses).map((status) => {
    const response = responseOf(operation, status, document);
    return html`<tr><th scope="row">${rowName(status)}</th><td>${statusMeaning(status, response)}</td></tr>
`;
  });
  return tableHtml({ caption: "Statuses", columns: ["Status", "Meaning"], rows });
}

function statusMeaning(status: string, response: ResponseObject | null): Fragment {
  const error = (response?.content?.["application/json"].example as { error?: ErrorExample } | undefined)?.error;
  if (error) {
    return html`<a href="#error-${error.code}"><code>${error.code}</code></a> <span class="said">${error.message}</span>`;
  }
  const own = Object.keys(response?.headers ?? {}).filter((name) => !/^X-(?:RateLimit|Request)/.test(name));
  const links = own.map((name) => html`<a href="#header-${name}"><code>${name}</code></a>`);
  const carried = own.length > 0 ? [" It carries ", joinedHtml(links, ", "), "."] : null;
  return [status === "200" ? "As above." : inline(response?.description ?? ""), carried];
}

interface ErrorExample {
  readonly code: string;
  readonly message: string;
}

function responseOf(operation: Operation, status: string, document: OpenApiDocument): ResponseObject | null {
  const response = operation.responses[status];
  if (!response) return null;
  if (!("$ref" in response)) return response;
  return document.components.responses[response.$ref.slice("#/components/responses/".length)] ?? null;
}

/** The place of a table of fields: the prefix of its anchors. */
interface FieldTableContext {
  readonly document: OpenApiDocument;
  readonly operationId: string;
}

/** One table for the fields of a record, or, where the record is one of several, one for each and one for all of them. */
function fieldTables(schema: Schema, document: OpenApiDocument, operationId: string): Html[] {
  const context = { document, operationId };
  const record = resolve(schema, document);
  if (!record.oneOf) return [fieldTable(context, "Fields", record.properties ?? {}, "")];
  const variants = record.oneOf.map((variant) => resolve(variant, document));
  const shared = sharedProperties(variants);
  const own = variants.map((variant) => {
    const properties = Object.entries(variant.properties ?? {}).filter(([name]) => !Object.hasOwn(shared, name));
    const label = discriminator(variant);
    return fieldTable(context, `Fields where it is ${label}`, Object.fromEntries(properties), `${label}.`);
  });
  return [fieldTable(context, "Fields of all kinds", shared, ""), ...own];
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

function fieldTable(
  context: FieldTableContext,
  caption: string,
  properties: Readonly<Record<string, Schema>>,
  prefix: string,
): Html {
  const rows = Object.entries(properties).flatMap(([name, schema]) => fieldRows(context, "", name, schema, prefix));
  return tableHtml({ caption, isCaptionSeen: caption !== "Fields", columns: ["Field", "Meaning"], rows });
}

function fieldRows(context: FieldTableContext, outer: string, name: string, schema: Schema, prefix: string): Html[] {
  const { document, operationId } = context;
  const path = outer + name;
  const { schema: plain } = withoutNull(schema, document);
  const id = `${operationId}-field-${prefix}${path}`;
  const row = html`<tr id="${id}">
<th scope="row" class="half">${rowName(fieldName(outer, name), id)}
<span class="type row-type">${describeType(schema, document, name)}</span></th>
<td>${inline(plain.description ?? "")}${plain.oneOf ? variantList(plain.oneOf, document) : null}</td>
</tr>
`;
  return [row, ...innerRows(context, path, plain, prefix)];
}

function fieldName(outer: string, name: string): Fragment {
  return outer === "" ? breakable(name) : [html`<span class="outer">${outer}</span><wbr>`, breakable(name)];
}

function innerRows(context: FieldTableContext, path: string, schema: Schema, prefix: string): Html[] {
  const rowsOf = (properties: Readonly<Record<string, Schema>>, outer: string) =>
    Object.entries(properties).flatMap(([name, inner]) => fieldRows(context, outer, name, inner, prefix));
  if (schema.properties) return rowsOf(schema.properties, `${path}.`);
  if (schema.type !== "array" || typeof schema.items !== "object") return [];
  return rowsOf(resolve(schema.items, context.document).properties ?? {}, `${path}[].`);
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
