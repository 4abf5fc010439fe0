import type { SampleCall, SampleValues } from "../samples/call.ts";
import { type SampleLanguage, sampleLanguages, sampleOf } from "../samples/samples.ts";
import { addCopyButton, button, element, find } from "./dom.ts";

const storedName = "odograph-language";

interface Sample {
  readonly call: SampleCall;
  readonly code: HTMLElement;
  readonly pre: HTMLElement;
  readonly choices: ReadonlyMap<SampleLanguage, HTMLButtonElement>;
  values: SampleValues;
}

const samples: Sample[] = [];
let chosen: SampleLanguage = "curl";

/** Gives every sample the choice of languages. One choice is for all of them, and it is remembered. */
export function offerLanguages(calls: ReadonlyMap<string, SampleCall>): void {
  for (const block of document.querySelectorAll<HTMLElement>("[data-sample]")) {
    const call = calls.get(block.dataset.sample ?? "");
    if (call) samples.push(sampleIn(block, call));
  }
  const stored = sampleLanguages.find((language) => language === readStored());
  if (stored) chosen = stored;
  for (const sample of samples) show(sample);
}

export function followValues(operationId: string, values: SampleValues): void {
  for (const sample of samples) {
    if (sample.call.operationId !== operationId || !sample.code.closest("article")) continue;
    sample.values = values;
    show(sample);
  }
}

function sampleIn(block: HTMLElement, call: SampleCall): Sample {
  const caption = find("figcaption", block);
  const choices = new Map(sampleLanguages.map((language) => [language, choiceOf(language)]));
  caption.replaceChildren(
    element("span", { class: "languages", role: "group", "aria-label": "Language" }, ...choices.values()),
  );
  addCopyButton(block);
  const values = Object.fromEntries(new URLSearchParams(block.dataset.values));
  return { call, code: find("code", block), pre: find("pre", block), choices, values };
}

function choiceOf(language: SampleLanguage): HTMLButtonElement {
  const choice = button(language, () => choose(language, choice), "language");
  return choice;
}

/** Samples above change their height; what was clicked stays where it is. */
function choose(language: SampleLanguage, clicked: HTMLElement): void {
  const before = clicked.getBoundingClientRect().top;
  chosen = language;
  writeStored(language);
  for (const sample of samples) show(sample);
  scrollBy({ top: clicked.getBoundingClientRect().top - before, behavior: "instant" });
}

function show({ call, code, pre, choices, values }: Sample): void {
  code.textContent = sampleOf(chosen, call, values);
  pre.setAttribute("aria-label", `${chosen} sample`);
  for (const [language, choice] of choices) choice.setAttribute("aria-pressed", String(language === chosen));
}

/** A browser may refuse to store anything. */
function readStored(): string | null {
  try {
    return localStorage.getItem(storedName);
  } catch {
    return null;
  }
}

function writeStored(language: SampleLanguage): void {
  try {
    localStorage.setItem(storedName, language);
  } catch {
    // Then it is remembered until the page is closed.
  }
}
