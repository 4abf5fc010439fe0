import type { OpenApiDocument, Operation, ParameterObject, ResponseObject, Schema } from "../openapi/types.ts";
import { callOf } from "./calls.ts";
import { fieldTables } from "./fields.ts";
import { type Fragment, type Html, html, joined } from "./html.ts";
import { breakable, codeBlock, heading, inline, paragraphs, renderJson, rowName, sampleBlock, table } from "./prose.ts";
import { describeType, resolve } from "./schema-text.ts";

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

function need({ "x-required-scope": scope, security }: Operation): Html {
  if (scope === undefined && security?.length === 0) return html`<p class="need">Needs no key.</p>`;
  if (scope === undefined)
    return html`<p class="need">Each type needs the <a href="#scopes">scope</a> of its list.</p>`;
  return html`<p class="need">Needs the scope <a href="#scope-${scope}"><code>${scope}</code></a>.</p>`;
}

function parameterTable({ operationId, parameters = [] }: Operation, document: OpenApiDocument): Html {
  const rows = parameters.map((parameter) => parameterRow(operationId, parameter, document));
  return table({ caption: "Parameters", columns: ["Parameter", "Meaning"], rows });
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
  return html`<p>Also in other <a href="#formats">formats</a>: ${joined(names, ", ")}.</p>`;
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
  return table({ caption: "Statuses", columns: ["Status", "Meaning"], rows });
}

function statusMeaning(status: string, response: ResponseObject | null): Fragment {
  const error = (response?.content?.["application/json"].example as { error?: ErrorExample } | undefined)?.error;
  if (error) {
    return html`<a href="#error-${error.code}"><code>${error.code}</code></a> <span class="said">${error.message}</span>`;
  }
  const own = Object.keys(response?.headers ?? {}).filter((name) => !/^X-(?:RateLimit|Request)/.test(name));
  const links = own.map((name) => html`<a href="#header-${name}"><code>${name}</code></a>`);
  const carried = own.length > 0 ? [" It carries ", joined(links, ", "), "."] : null;
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
