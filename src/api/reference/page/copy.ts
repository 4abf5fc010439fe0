import { button, find } from "./dom.ts";

const thanksMs = 1500;

/** Copies what the block holds at that moment. */
export function addCopyButton(block: HTMLElement): void {
  // Only a page from a safe place may write to the clipboard.
  if (!navigator.clipboard) return;
  const copy = button(
    "Copy",
    async () => {
      await navigator.clipboard.writeText(find("pre", block).textContent ?? "");
      copy.textContent = "Copied";
      setTimeout(() => {
        copy.textContent = "Copy";
      }, thanksMs);
    },
    "small",
  );
  find("figcaption", block).append(copy);
}
