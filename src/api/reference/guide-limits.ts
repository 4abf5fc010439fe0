import { defaultPerDayLimit, defaultPerSecondLimit } from "../../domain/fleet.ts";
import { maxStreams } from "../cache/open-streams.ts";
import type { OpenApiDocument } from "../openapi/types.ts";
import { html } from "./html.ts";
import { inline, rowName, type Section, table } from "./prose.ts";

export function limitSection(): Section {
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

export function headerSection(document: OpenApiDocument): Section {
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
${table({ caption: "Answer headers", columns: ["Header", "Meaning", "Example"], rows })}`,
  };
}

export function versionSection(version: string): Section {
  return {
    id: "versions",
    title: "Versions",
    body: html`<p>This is version ${version}, under <code>/v1</code>. Nothing of it is removed or changed in a way that breaks a
client. A new version gets a prefix of its own, and this one keeps working. <a href="v1/openapi.json">/v1/openapi.json</a> is the
same description for machines: OpenAPI 3.1. Assistants reach the same data at <code>/mcp</code>, with the Model Context
Protocol and the same keys.</p>`,
  };
}
