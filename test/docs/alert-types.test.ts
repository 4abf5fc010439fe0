import { expect, test } from "bun:test";
import { type AlertParameter, type AlertType, alertKind, alertTypes } from "../../src/domain/alert-types.ts";
import { maxSensorNameLength } from "../../src/domain/alerts/parameters.ts";
import { defaultRules } from "../../src/domain/alerts/read-rule.ts";

interface DocumentedType {
  readonly severity: string;
  readonly isOn: string;
  readonly parameters: Map<string, { readonly bounds: string; readonly usual: string }>;
}

test("fleet-file.md has every alert type, with its severity, parameters, bounds and defaults", async () => {
  const documented = await documentedTypes();
  expect([...documented.keys()].sort()).toEqual([...alertTypes].sort());
  for (const type of alertTypes) {
    const { severity, isCritical, parameters } = alertKind(type);
    const { severity: text, isOn, parameters: rows } = documented.get(type) as DocumentedType;
    expect({ type, text: text.split(",")[0] }).toEqual({ type, text: severity });
    expect({ type, rises: text.includes(", critical") }).toEqual({ type, rises: isCritical !== null });
    expect({ type, isOn: isOn === "yes" }).toEqual({ type, isOn: defaultRules[type] !== null });
    expect({ type, names: [...rows.keys()] }).toEqual({ type, names: Object.keys(parameters) });
    for (const [name, parameter] of Object.entries(parameters)) {
      const { bounds = "", usual = "" } = rows.get(name) ?? {};
      expect({ type, name, bounds: bounds.split(", or")[0] }).toEqual({ type, name, bounds: boundsOf(parameter) });
      expect({ type, name, usual: usual.split(", or")[0] }).toEqual({ type, name, usual: usualOf(parameter) });
    }
  }
});

test("derivation.md says from when an alert is critical", async () => {
  const page = await Bun.file(new URL("../../docs/derivation.md", import.meta.url)).text();
  const [table = ""] = (page.split("| critical from |\n")[1] ?? "").split("\n\n");
  const rising = alertTypes.filter((type) => alertKind(type).isCritical !== null);
  expect([...table.matchAll(/`(\w+)`/g)].map(([, type]) => type).sort()).toEqual(rising.toSorted());
  const isCritical = (type: AlertType, worst: number, threshold: number) =>
    alertKind(type).isCritical?.(worst, threshold);
  // The figures of the table, on both sides.
  for (const [type, threshold, from, not] of [
    ["speeding", 80, 110, 109.9],
    ["low_battery", 20, 9.9, 10],
    ["temperature_high", 8, 13, 12.9],
    ["temperature_low", 2, -3, -2.9],
    ["tyre_pressure_low", 800, 700, 701],
  ] as const) {
    expect({ type, from: isCritical(type, from, threshold) }).toEqual({ type, from: true });
    expect({ type, not: isCritical(type, not, threshold) }).toEqual({ type, not: false });
  }
});

/** A row without a type goes on with the one above. */
async function documentedTypes(): Promise<Map<string, DocumentedType>> {
  const page = await Bun.file(new URL("../../docs/fleet-file.md", import.meta.url)).text();
  const [, table = ""] = page.split("| alert type |");
  const documented = new Map<string, DocumentedType>();
  let names: string[] = [];
  for (const line of (table.split("\n\n")[0] ?? "").split("\n").slice(2)) {
    const [types = "", severity = "", isOn = "", name = "", bounds = "", usual = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    if (types !== "") {
      names = types.split(", ").map((type) => type.slice(1, -1));
      for (const type of names) documented.set(type, { severity, isOn, parameters: new Map() });
    }
    if (name === "") continue;
    for (const type of names) documented.get(type as AlertType)?.parameters.set(name.slice(1, -1), { bounds, usual });
  }
  return documented;
}

function boundsOf(parameter: AlertParameter): string {
  switch (parameter.kind) {
    case "choice":
      return parameter.values.join(" or ");
    case "sensor":
      return `1 to ${maxSensorNameLength} characters`;
    case "times":
      return "see [times](#times)";
    default:
      return `${parameter.min.toLocaleString("en")} to ${parameter.max.toLocaleString("en")}`;
  }
}

function usualOf(parameter: AlertParameter): string {
  if (parameter.default !== null) return parameter.default.toLocaleString("en");
  return parameter.kind === "sensor" ? "every sensor" : "none";
}
