import { type Html, html } from "./html.ts";

/** The sign and the name, as in the portal, leading to the start. */
export function brand(start = "#top"): Html {
  return html`<a class="brand" href="${start}"><svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<rect class="logo-plate" width="32" height="32" rx="8" /><path class="logo-dial" d="M7.5 21.5a9.2 9.2 0 1 1 17 0" />
<path class="logo-needle" d="m16 19.5 4.6-6.4" /><circle class="logo-hub" cx="16" cy="20" r="2.6" /></svg>
<span>Odograph</span></a>`;
}
