import type { OpenApiDocument } from "../openapi/types.ts";
import { endpoint } from "./endpoint.ts";
import {
  authentication,
  errorSection,
  firstCall,
  headerSection,
  limitSection,
  scopeSection,
  versionSection,
  visibilitySection,
} from "./guide-access.ts";
import {
  followingSection,
  formatSection,
  pagingSection,
  pollingSection,
  recordSection,
  windowSection,
} from "./guide-reading.ts";
import { type Html, html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { breakable, heading, inline, type ProseSection } from "./prose.ts";

interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly [path: string, operation: OpenApiDocument["paths"][string]["get"]][];
}

export function renderReference(document: OpenApiDocument): string {
  const sections = guide(document);
  const groups = groupsOf(document);
  return renderLayout({
    title: "API reference",
    description: document.info.summary,
    root: "",
    name: "reference",
    start: "#top",
    links: [html`<a href="docs/guide">Guide</a>`, html`<a href="portal">Portal</a>`],
    moreLinks: [html`<a href="docs/clients/">Clients</a>`, html`<a href="portal/keys">Keys</a>`],
    contents: contents(sections, groups),
    main: html`${hero(document)}
<div class="guide">
${sections.map(({ id, title, body }) => html`<section aria-labelledby="${id}">${heading(2, id, title, title)}\n${body}\n</section>\n`)}
</div>
${groups.map((group) => groupSection(group, document))}`,
    footer: "Odograph is free software under the Apache License 2.0.",
  });
}

function guide(document: OpenApiDocument): ProseSection[] {
  return [
    firstCall(document),
    authentication(),
    scopeSection(document),
    visibilitySection(),
    recordSection(),
    pagingSection(),
    formatSection(),
    windowSection(),
    pollingSection(),
    followingSection(),
    limitSection(),
    headerSection(document),
    errorSection(document),
    versionSection(document.info.version),
  ];
}

function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  return tags.map(({ name, description }) => ({
    id: `tag-${name}`,
    name,
    description,
    operations: Object.entries(paths).flatMap(([path, { get }]): Group["operations"] =>
      get.tags.includes(name) ? [[path, get]] : [],
    ),
  }));
}

function hero({ info }: OpenApiDocument): Html {
  const digits = info.version.split(".").map((digit) => html`<span class="digit">${digit}</span>`);
  return html`<header class="hero" id="top">
<p class="odometer" aria-hidden="true">${digits}</p>
<h1>API reference</h1>
<p class="opening">${info.summary} Devices, live positions and history, trips, alerts, sensor readings, geofences, sub-accounts and mileage, over
HTTP and JSON. Every operation is a <code>GET</code>: nothing can be changed.</p>
<p class="facts"><span>Version ${info.version}</span> <span>Base address <code data-base>http://127.0.0.1:8080/v1</code></span>
<a href="v1/openapi.json">OpenAPI 3.1</a> <a href="portal/keys">Make a key in the portal</a></p>
</header>`;
}

function contents(sections: readonly ProseSection[], groups: readonly Group[]): Html {
  const guideLinks = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`);
  return html`<h2>Guide</h2>
<ul>
${guideLinks}</ul>
${groups.map(groupLinks)}`;
}

function groupLinks({ id, name, operations }: Group): Html {
  const links = operations.map(
    ([path, { operationId, summary }]) =>
      html`<li><a href="#${operationId}">${summary} <code>${breakable(path)}</code></a></li>\n`,
  );
  return html`<h2><a href="#${id}">${name}</a></h2>
<ul>
${links}</ul>
`;
}

function groupSection({ id, name, description, operations }: Group, document: OpenApiDocument): Html {
  return html`<section class="group" aria-labelledby="${id}">
${heading(2, id, name, name)}
<p class="lead">${inline(description)}</p>
${operations.map(([path, operation]) => endpoint(path, operation, document))}
</section>
`;
}
