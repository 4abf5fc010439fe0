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
<p>The key itself is the credential: there is no login and no token to refresh. The word <code>Bearer</code> may be in any case.
Another scheme is ignored if <code>X-API-Key</code> has the key; a <code>Bearer</code> that is not one key is 401. A revoked key
stops working within a second, and a long answer that it is reading breaks off.</p>
<p>Call the API from a server: anyone can read a key in a web page or an app. No <code>Access-Control-Allow-Origin</code> header is
sent.</p>`,
  };
}

export function visibilitySection(): ProseSection {
  return {
    id: "visibility",
    title: "Who sees what",
    body: html`<p>A key sees what the user who created it sees now: the owner of an account all its devices, a sub-account those that
are assigned to it. A changed assignment takes effect within a second. What a key cannot see is answered like what does not
exist.</p>
<ul>
<li>Positions, trips, stops, alerts, readings, crossings and mileage follow their device.</li>
<li>A sub-account sees the geofences that are assigned to at least one of its devices, and no rules that are only for others. Older
crossings, stops and alerts keep the ids of fences that it no longer sees, and of acknowledging users.</li>
</ul>`,
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
<p>Checks are made in this order, and the first that fails is the answer: body (413), path (404), method (405), key (401), limits
(429), scope (403), parameters (400), record (404). A 304 is no error, and neither is an empty page. An empty parameter is 400,
except <code>cursor</code> and <code>search</code>; so are two <code>Host</code> headers. Unknown parameters are ignored.</p>
<p>These come without our body and headers: 431, if URL and headers together have more than 16 KiB; 413, for a body of more than
4 MiB; 400, for what is not HTTP.</p>`,
  };
}

export function limitSection(): ProseSection {
  return {
    id: "limits",
    title: "Limits",
    body: html`<p>A key has a limit per second and one per UTC day: ${defaultPerSecondLimit} and
${defaultPerDayLimit.toLocaleString("en")}, unless the account or the key has others. The account may
also have one per UTC day for all its keys together. Every answer shows what is left, of the daily limit that leaves less: so
<code>X-RateLimit-Remaining</code> may fall by more than 1 between two calls.</p>
<p>Above a limit the answer is 429. Wait for the seconds in <code>Retry-After</code>: 1 for the second, those to 00:00 UTC for the
day, 5 for long answers.</p>
<ul>
<li>A call that is refused uses up a slot of its second, so retrying early brings another 429. It costs nothing of the day, and is
not charged to another limit.</li>
<li>A 304 and a 500 cost nothing of the day, neither of the key's nor of the account's. Neither do unknown paths and other methods,
which stay 404 and 405 when no requests are left.</li>
<li>Long answers, such as a mileage report of a large fleet, are streamed: ${maxStreams.caller} at a time for a key,
${maxStreams.account} for an account, ${maxStreams.node} for a server. One more waits up to two seconds, then it is refused. Read one to its end, or close the
connection: a client that stops reading is cut off after 30 seconds, or after 5 if another key is waiting.</li>
<li>Calls without a valid key, and <code>/v1/openapi.json</code>, are counted by the address they come from:
${defaultPerSecondLimit} per second and ${defaultPerDayLimit.toLocaleString("en")} per day. <code>/health</code> and
<code>/docs</code> are never refused.</li>
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
of 1 KiB or more is compressed for a client that accepts <code>zstd</code> or <code>gzip</code>. <code>Cache-Control</code> is
<code>private, no-cache</code> for live positions and <code>no-store</code> for the rest.</p>
<p><code>HEAD</code> answers as <code>GET</code> does, without the body, and costs the same. Send one request at a time on a
connection: those sent ahead (HTTP pipelining) may be left unanswered.</p>
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
