import type { Call } from "../samples/call.ts";
import { offerConsole } from "./console.ts";
import { followReading } from "./contents.ts";
import { addCopyButton } from "./copy.ts";
import { addressOf } from "./dom.ts";
import { offerLanguages } from "./samples-view.ts";
import { offerSearch } from "./search-box.ts";

// The reference can be read without this. It adds the server's own address, copy buttons, samples in other languages, a
// search and a console.

for (const place of document.querySelectorAll("[data-base]")) place.textContent = addressOf("v1").href;
for (const block of document.querySelectorAll<HTMLElement>(".code:not([data-sample])")) addCopyButton(block);

const calls = new Map<string, Call>();
for (const article of document.querySelectorAll<HTMLElement>("article[data-call]")) {
  const call: Call = JSON.parse(article.dataset.call ?? "");
  calls.set(call.operationId, call);
  offerConsole(article, call);
}
offerLanguages(calls);
offerSearch();
followReading();
