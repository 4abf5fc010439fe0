import { addCopyButton } from "../../reference/page/dom.ts";
import { searchWhileTyping } from "./search-while-typing.ts";

// The guide can be read and searched without this. It adds copy buttons, results while one types, and marks what is being read.

for (const block of document.querySelectorAll<HTMLElement>(".code")) addCopyButton(block);
searchWhileTyping();
followHeadings();

/** Marks beside the page which of its headings was passed last. */
function followHeadings(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".headings a")];
  const headings = links.flatMap(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))) ?? []);
  if (headings.length === 0) return;
  const mark = () => {
    const passed = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    for (const [index, link] of links.entries()) {
      if (index === passed) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
    if (passed >= 0) links[passed]?.scrollIntoView({ block: "nearest" });
  };
  // Only when a heading comes or goes: scrolling itself costs nothing.
  const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px" });
  for (const heading of headings) observer.observe(heading);
}
