// The reference can be read without this. It adds the server's own address, copy buttons, a filter, and the place in the contents.
const contents = document.getElementById("contents");
const links = [...contents.querySelectorAll("li a")];

for (const place of document.querySelectorAll("[data-base]")) {
  place.textContent = new URL("v1", document.baseURI).href;
}

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  // Only a page from a safe place may write to the clipboard.
  if (navigator.clipboard) block.querySelector("figcaption").append(button);
}

const filter = document.createElement("input");
filter.type = "search";
filter.placeholder = "Filter";
filter.setAttribute("aria-label", "Filter the contents");
filter.addEventListener("input", () => {
  const wanted = filter.value.trim().toLowerCase();
  for (const link of links) link.parentElement.hidden = !link.textContent.toLowerCase().includes(wanted);
  for (const list of contents.querySelectorAll("ul")) {
    const isEmpty = list.querySelector("li:not([hidden])") === null;
    list.hidden = isEmpty;
    list.previousElementSibling.hidden = isEmpty;
  }
});
contents.querySelector(".wordmark").after(filter);

contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
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
