import { type AlertType, alertKind, alertTypes, type Severity } from "../../../domain/alert-types.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";

type Words = Pick<AdministrationTexts, "rules"> & Pick<Texts, "alerts"> & { readonly show: Show };

/** `speeding (on warning limit_kmh 125 fences 2)`; a long one may be cut off. */
const logged = /([a-z_]+) \((on|off)((?: (?:critical|warning|info))?)([^()]*)/g;

/** Rules as the log holds them, in the person's words and units. What is not known stays as it is. Pure. */
export function loggedRules(text: string, { alerts, rules, show }: Words): string {
  return text.replaceAll(logged, (whole, name: string, state: "on" | "off", severity: string, rest: string) => {
    const type = alertTypes.find((one) => one === name);
    if (type === undefined) return whole;
    const said = [
      rules[state],
      ...(severity === "" ? [] : [alerts.severities[severity.trim() as Severity]]),
      ...parametersIn(rest, type, rules, show),
    ];
    return `${alerts.types[type]} (${said.join(", ")}`;
  });
}

function parametersIn(text: string, type: AlertType, rules: Words["rules"], show: Show): readonly string[] {
  const { parameters } = alertKind(type);
  const said = [...text.matchAll(/ ([a-z_]+) (\{.*\}|"[^"]*"|[^ ]+)/g)].map(([whole, name = "", value = ""]) => {
    if (name === "times") return rules.times.title.toLowerCase();
    if (name === "fences") return rules.fenceCount(Number(value), value);
    const kind = parameters[name];
    const label = rules.parameters[name];
    const isNumber = (kind?.kind === "number" || kind?.kind === "by_axle") && Number.isFinite(Number(value));
    return isNumber && label !== undefined
      ? `${label.toLowerCase()} ${show.figure(Number(value), kind.unit)}`
      : whole.trim();
  });
  return said;
}
