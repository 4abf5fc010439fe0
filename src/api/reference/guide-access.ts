import { errorTable } from "../../domain/errors.ts";
import { defaultPerDayLimit, defaultPerSecondLimit } from "../../domain/fleet.ts";
import { scopes } from "../../domain/scopes.ts";
import { maxStreams } from "../cache/open-streams.ts";
import { errorConditions, publicCodes } from "../openapi/error-responses.ts";
import type { OpenApiDocument } from "../openapi/types.ts";
import { callOf } from "./calls.ts";
import { type Fragment, html, joinedHtml } from "./html.ts";
import { codeBlock, inline, type ProseSection, renderJson, rowName, sampleBlock, tableHtml } from "./prose.ts";

export function firstCall(document: OpenApiDocument): ProseSection {
  const path = "/devices";
  const operation = document.paths[path]?.get;
  if (!operation) throw new Error(`the description has no ${path}`);
  const code = html`export BASE=<span data-base>http://127.0.0.1:8080/v1</span>
export KEY=odo_…`;
  return {
    id: "first-call",
    title: "First call",
    body: html`<ol>
<li><a href="portal/keys">Make a key in the portal</a>: choose what it may read, and copy it. It is shown once and only its hash
is stored, so revoke and replace a key that is lost. The operator of the server can also make one with
<code>odograph keys create</code>.</li>
<li>Put the server’s address and the key into two variables. The samples on this page read them.
${codeBlock("Shell", code)}</li>
<li>Call. ${sampleBlock(callOf(path, operation, document), { limit: "5" })}</li>
</ol>
<p>TypeScript and Python use the clients in the folders <code>client/</code> and <code>client-python/</code> of the repository;
curl and Go need nothing else. A word in capitals, like <code>DEVICE_ID</code> or <code>IMEI</code>, stands for one of your own:
the lists of <a href="#listDevices">devices</a> and <a href="#listUsers">users</a> name them.</p>
<p>To look around without a key, sign in to <a href="portal">the portal</a> and press <b>Try it</b> at any operation below: the
console runs the call with your session and shows what you see.</p>`,
  };
}

export function authentication(): ProseSection {
  return {
    id: "authentication",
    title: "Authentication",
    body: html`<p>Every request carries the key in one of two headers. They are equivalent; with a different key in each the
answer is 401.</p>
${codeBlock("Headers", "Authorization: Bearer odo_…\nX-API-Key: odo_…")}
<p>The key itself is the credential: there is no login and no token to refresh. It sees what its creator sees at that moment,
and never more. A record that it cannot see is answered as one that does not exist.</p>
<p>Call the API from a server. No <code>Access-Control-Allow-Origin</code> header is sent, because everybody could read a key in
a browser or an app.</p>`,
  };
}

export function scopeSection(document: OpenApiDocument): ProseSection {
  const operations = Object.entries(document.paths);
  const rows = Object.entries(scopes).map(([scope, grants]) => {
    const links = operations
      .filter(([, { get }]) => get["x-required-scope"] === scope)
      .map(([path, { get }]): Fragment => html`<a href="#${get.operationId}"><code>${path}</code></a>`);
    return html`<tr id="scope-${scope}"><th scope="row">${rowName(scope, `scope-${scope}`)}</th><td>${grants}</td><td>${joinedHtml(links, " ")}</td></tr>
`;
  });
  return {
    id: "scopes",
    title: "Scopes",
    body: html`<p>A key carries the scopes that were chosen when it was made. Without the scope of an endpoint the answer is 403,
which names what is required and what the key holds.</p>
${tableHtml({ caption: "Scopes", columns: ["Scope", "Grants", "Endpoints"], rows })}`,
  };
}

export function errorSection(document: OpenApiDocument): ProseSection {
  const rows = publicCodes.map((code) => {
    const id = `error-${code}`;
    return html`<tr id="${id}"><th scope="row">${rowName(errorTable[code].status)}</th>
<td>${rowName(code, id)}</td><td>${inline(errorConditions[code])}</td></tr>
`;
  });
  const example = document.paths["/devices"]?.get.responses["403"];
  const body = example && "content" in example ? example.content?.["application/json"].example : undefined;
  return {
    id: "errors",
    title: "Errors",
    body: html`<p>Every failure has one body. Branch on <code>error.code</code>, which is stable, never on
<code>error.message</code>, which is for people. <code>request_id</code> names the call when you ask for help with it.</p>
${body ? codeBlock("403", renderJson(body)) : null}
${tableHtml({ caption: "Errors", columns: ["Status", "Code", "When"], rows })}
<p>Checks are made in this order, and the first that fails is the answer: path (404), method (405), key (401), limits (429),
scope (403), parameters (400), record (404). A 304 is no error, and neither is an empty page.</p>`,
  };
}

export function limitSection(): ProseSection {
  return {
    id: "limits",
    title: "Limits",
    body: html`<p>A key has a limit per second and one per UTC day: ${defaultPerSecondLimit} and
${defaultPerDayLimit.toLocaleString("en")}, unless the account or the key has others. The account may
also have one per UTC day for all its keys together; the headers show whichever leaves less. Every answer shows what is left. Above a limit
the answer is 429, and <code>Retry-After</code> gives the seconds to wait.</p>
<ul>
<li>A call that is refused uses up a slot of its second, so retrying early brings another 429. It costs nothing of the day.</li>
<li>A 304 and a 500 cost nothing of the day, neither of the key's nor of the account's.</li>
<li>Long answers, such as a mileage report of a large fleet, are streamed: ${maxStreams.caller} at a time for a key,
${maxStreams.account} for an account. One more waits for a moment, then it is refused. Read one to its end, or close the connection.</li>
<li>Calls without a valid key are counted by the address they come from.</li>
</ul>`,
  };
}

export function headerSection(document: OpenApiDocument): ProseSection {
  const rows = Object.entries(document.components.headers).map(([name, { description, example }]) => {
    const id = `header-${name}`;
    return html`<tr id="${id}"><th scope="row">${rowName(name, id)}</th><td>${inline(description)}</td>
<td><code>${String(example)}</code></td></tr>
`;
  });
  return {
    id: "headers",
    title: "Answer headers",
    body: html`<p>The limits and the request's id are on every answer, errors and 304 included; the others where they apply. An answer
is compressed for a client that accepts <code>zstd</code> or <code>gzip</code>.</p>
${tableHtml({ caption: "Answer headers", columns: ["Header", "Meaning", "Example"], rows })}`,
  };
}

export function versionSection(version: string): ProseSection {
  return {
    id: "versions",
    title: "Versions",
    body: html`<p>This is version ${version}, under <code>/v1</code>. Nothing of it is removed or changed in a way that breaks a
client. A new version gets a prefix of its own, and this one keeps working. <a href="v1/openapi.json">/v1/openapi.json</a> is the
same description for machines: OpenAPI 3.1. Assistants reach the same data at <code>/mcp</code>, with the Model Context
Protocol and the same keys.</p>`,
  };
}
