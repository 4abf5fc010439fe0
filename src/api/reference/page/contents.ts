import { find } from "./dom.ts";

/** Marks in the contents what is being read. */
export function followReading(): void {
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
