import { quantity } from "../../domain/text/text.ts";
import type { DemoHistory } from "../../portal/both-sides/contract/session.ts";
import type { DemoSignIn } from "../serving/demo-passwords.ts";
import type { DemoState } from "../serving/demo-state.ts";

/** What a newcomer sees: where to look, how to sign in, and calls that work when they are pasted. */
export function demoText(
  url: string,
  { key, vehicles, days }: DemoState,
  inMaking: DemoHistory | null,
  [owner, ...others]: readonly DemoSignIn[],
): string {
  const call = (path: string) => `  curl -H 'X-API-Key: ${key}' '${url}/v1${path}'`;
  return [
    `${quantity(vehicles, "vehicle")} ${vehicles === 1 ? "is" : "are"} driving, ${historyText(days, inMaking)}.`,
    "",
    `  portal   ${url}/portal`,
    `  sign in  ${signInText(owner)}`,
    ...others.filter(({ isNew }) => isNew).map((other) => `       or  ${signInText(other)}`),
    `  API      ${url}/v1, described at ${url}/docs`,
    `  key      ${key}`,
    "",
    "Try it:",
    "",
    call("/positions/latest?limit=3"),
    call("/trips?limit=3"),
    call("/reports/mileage"),
    "",
    "Press Ctrl-C to stop it.",
  ].join("\n");
}

function historyText(days: number, inMaking: DemoHistory | null): string {
  const made = inMaking?.days_made ?? days;
  const rest = days - made;
  const meanwhile = rest === 0 ? "" : `; ${rest} more ${rest === 1 ? "is" : "are"} being made meanwhile`;
  return `with ${made === 1 ? "a day" : `${made} days`} of history${meanwhile}`;
}

function signInText(signIn: DemoSignIn | undefined): string {
  if (!signIn?.password)
    return `${signIn?.email} with the password shown or chosen before; --new-password creates another`;
  const { email, password, isNew } = signIn;
  return `${email} with the password ${password}${isNew ? " (new, and not shown again)" : ""}`;
}

interface ChosenPort {
  readonly wanted: number;
  readonly taken: number;
}

/** Why the demo has other ports than usual; null if it has not. One that it has just taken itself is not in use. */
export function portsNote(port: ChosenPort, ingestPort: ChosenPort): string | null {
  const changed = [
    { ...port, flag: "--port" },
    { ...ingestPort, flag: "--ingest-port" },
  ].filter(({ wanted, taken }) => taken !== wanted);
  const reasons = changed.filter(({ wanted }) => wanted !== port.taken).map(({ wanted }) => `port ${wanted} is in use`);
  const takes = changed.map(({ taken, flag }) => `${taken} for ${flag}`);
  if (reasons.length === 0) return null;
  return `${reasons.join(" and ")}, so the demo takes ${takes.join(" and ")}`;
}
