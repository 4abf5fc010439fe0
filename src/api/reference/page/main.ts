import type { SampleCall } from "../samples/call.ts";
import { offerConsole } from "./console.ts";
import { addCopyButton, find, pageUrl } from "./dom.ts";
import { offerLanguages } from "./samples-view.ts";
import { offerSearch } from "./search-box.ts";

// The reference can be read without this. It adds the server's own address, copy buttons, samples in other languages, a
// search and a console.

for (const place of document.querySelectorAll("[data-base]")) place.textContent = pageUrl("v1").href;
for (const block of document.querySelectorAll<HTMLElement>(".code:not([data-sample])")) addCopyButton(block);

const calls = new Map<string, SampleCall>();
for (const article of document.querySelectorAll<HTMLElement>("article[data-call]")) {
  const call: SampleCall = JSON.parse(article.dataset.call ?? "");
  calls.set(call.operationId, call);
  offerConsole(article, call);
}
offerLanguages(calls);
offerSearch();
followReading();

/** Marks in the contents what is being read. */
function followReading(): void {
  const contents = find("#contents");
  const links = [...contents.querySelectorAll<HTMLAnchorElement>("li a")];
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const id = target.getAttribute("aria-labelledby");
        const link = links.find((candidate) => candidate.hash === `#${id}`);
        if (isIntersecting) link?.setAttribute("aria-current", "location");
        else link?.removeAttribute("aria-current");
      }
    },
    // What crosses a line a quarter down the window is what is being read.
    { rootMargin: "-25% 0px -75% 0px" },
  );
  for (const part of document.querySelectorAll(".guide section, article")) observer.observe(part);
}
