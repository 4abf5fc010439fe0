import { addCopyButton, element, find, onSlash } from "../../reference/page/dom.ts";

// The guide can be read and searched without this. It adds copy buttons, results while one types, and marks what is being read.

/** Fast typing makes one request. */
const pauseMs = 150;

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

/** Shows the results of the search page in place of the contents. Enter leads to that page itself. */
function searchWhileTyping(): void {
  const contents = find("#contents");
  const form = find<HTMLFormElement>(".search");
  const input = find<HTMLInputElement>("input", form);
  const found = element("div", { class: "found-here" });
  form.after(found);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = "";

  const show = async () => {
    const query = input.value.trim();
    latest = query;
    const results = query.length < 2 ? [] : await resultsOf(form.action, query);
    // A later question may have been answered first.
    if (query !== latest) return;
    found.replaceChildren(...results);
    contents.classList.toggle("searching", results.length > 0);
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, pauseMs);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    found.querySelector("a")?.focus();
  });
  found.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement) + (event.key === "ArrowDown" ? 1 : -1);
    (links[at] ?? input).focus();
  });
  onSlash(() => {
    if (getComputedStyle(contents).display === "none") contents.showPopover();
    input.focus();
  });
}

/** How many there are, and the list of them. Nothing if the server does not answer: Enter still works. */
async function resultsOf(address: string, query: string): Promise<Element[]> {
  const url = new URL(address);
  url.searchParams.set("q", query);
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) return [];
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return [...page.querySelectorAll("main .found, main .results")];
}
