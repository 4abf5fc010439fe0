import { guidePath } from "../guide/addresses.ts";
import { html } from "../reference/html.ts";
import { renderLayout } from "../reference/layout.ts";
import { codeBlock } from "../reference/prose.ts";
import { programVersion } from "../version.ts";
import { clientPackages } from "./packages.ts";

/** The clients of this server, and the line that installs each. `address`: where the reader found this page. */
export function renderClientsPage(address: string): string {
  const { typescript, python } = clientPackages;
  const root = "../../";
  const main = html`<h1>Clients</h1>
<p>The clients of this server, in its version. They have no dependencies. Use them with a key from the
<a href="${root}portal">portal</a>; <a href="${root}${guidePath.slice(1)}/clients">the guide</a> says how, and which
generators make clients in other languages.</p>
<h2 id="typescript">TypeScript and JavaScript</h2>
${codeBlock("sh", `npm install ${address}${typescript.name}`)}
<p><a href="${typescript.name}">${typescript.name}</a></p>
<h2 id="python">Python</h2>
${codeBlock("sh", `pip install ${address}${python.name}`)}
<p><a href="${python.name}">${python.name}</a></p>`;
  return renderLayout({
    title: "Clients",
    root,
    name: "guide",
    start: `${root}${guidePath.slice(1)}`,
    links: [
      html`<a href="${root}docs">API reference</a>`,
      html`<a href="${root}${guidePath.slice(1)}">Guide</a>`,
      html`<a href="${root}portal">Portal</a>`,
    ],
    contents: html`<ul>
<li><a href="#typescript">TypeScript and JavaScript</a></li>
<li><a href="#python">Python</a></li>
</ul>`,
    main,
    footer: `Odograph ${programVersion}, free software under the Apache License 2.0.`,
  });
}
