import type { CallParameter, SampleCall, SampleValues } from "../samples/call.ts";
import { element } from "./dom.ts";
import { maxOffered, ownDevices } from "./session.ts";

export interface ConsoleForm {
  readonly form: HTMLFormElement;
  values(): SampleValues;
  /** Enters a value as if by hand. */
  enter(name: string, value: string): void;
  offerDevices(): Promise<void>;
}

/** A field for each parameter, with its type in words, as in the table of parameters. */
export function consoleForm({ operationId, parameters }: SampleCall, title: string): ConsoleForm {
  const fields = parameters.map((parameter) => fieldOf(operationId, parameter));
  const form = element("form", { class: "console-form", "aria-label": `Call: ${title}` }, ...fields);
  const control = (name: string) => form.elements.namedItem(name);
  return {
    form,
    values() {
      const entered = parameters.map(({ name }): [string, string] => [name, enteredIn(control(name))]);
      return Object.fromEntries(entered.filter(([, value]) => value !== ""));
    },
    enter(name, value) {
      const field = control(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
      form.dispatchEvent(new Event("input"));
    },
    async offerDevices() {
      const lists = form.querySelectorAll("datalist");
      if (lists.length === 0) return;
      const devices = await ownDevices();
      for (const list of lists) {
        const isImei = list.dataset.name === "imei";
        const options = devices.map(({ device_id, imei, name, plate }) => {
          const label = plate === null ? name : `${name}, ${plate}`;
          return element("option", { value: isImei ? imei : device_id, label }, label);
        });
        list.replaceChildren(...options);
        const hint = list.parentElement?.querySelector(".offer");
        if (hint && devices.length > 0) hint.textContent = offerWords(devices.length);
      }
    },
  };
}

function offerWords(count: number): string {
  if (count === 1) return "; your device is offered";
  return count < maxOffered ? `; your ${count} devices are offered` : `; your first ${count} devices are offered`;
}

function enteredIn(field: Element | RadioNodeList | null): string {
  const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isField ? field.value.trim() : "";
}

function fieldOf(operationId: string, parameter: CallParameter): HTMLElement {
  const { name, place } = parameter;
  const id = `${operationId}-enter-${name}`;
  const row = document.getElementById(`${operationId}-parameter-${name}`);
  const type = row?.querySelector(".row-type")?.textContent ?? "";
  const label = element("label", { for: id }, element("code", {}, name));
  if (place === "path") label.append(" ", element("span", { class: "place" }, "required"));
  // A choice shows by itself what can be chosen.
  const hint = parameter.values ? "" : type;
  const words = element("span", { class: "type", id: `${id}-hint` }, hint, element("span", { class: "offer" }));
  return element("div", { class: "field" }, label, ...controls(id, parameter), words);
}

function controls(id: string, parameter: CallParameter): HTMLElement[] {
  const { name, place, kind, values, standard = "", min, max } = parameter;
  const attributes: Record<string, string> = { id, name, "aria-describedby": `${id}-hint` };
  if (place === "path") attributes.required = "";
  const choices = kind === "boolean" ? ["true", "false"] : values;
  if (choices) {
    const empty =
      place === "path" ? [] : [element("option", { value: "" }, standard === "" ? "any" : `${standard} (default)`)];
    const others = choices.filter((value) => value !== standard).map((value) => element("option", { value }, value));
    return [element("select", attributes, ...empty, ...others)];
  }
  Object.assign(attributes, { autocomplete: "off", spellcheck: "false", placeholder: standard });
  if (kind === "number") Object.assign(attributes, { type: "number", inputmode: "decimal", step: "any" });
  if (kind === "integer") {
    Object.assign(attributes, { type: "number", inputmode: "numeric", step: "1" });
    if (min !== undefined) attributes.min = String(min);
    if (max !== undefined) attributes.max = String(max);
  }
  if (kind === "time") attributes.placeholder = "2026-03-17T00:00:00Z";
  if (name !== "device_id" && name !== "imei") return [element("input", attributes)];
  const list = element("datalist", { id: `${id}-list`, "data-name": name });
  return [element("input", { ...attributes, list: list.id }), list];
}

/** Where a user who opens the console begins. */
export function focusFirst(form: HTMLFormElement, otherwise: HTMLElement): void {
  (form.querySelector<HTMLElement>("input, select") ?? otherwise).focus();
}
