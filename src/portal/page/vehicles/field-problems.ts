import { PortalError } from "../api/request.ts";
import type { AdministrationTexts } from "../texts/texts.ts";

type Words = AdministrationTexts["vehicles"]["problems"];

const digits = /^[0-9]{14,16}$/;

/** What is wrong with the fields of a vehicle, in the person's language. `tags[3]` is a problem of `tags`. */
export function vehicleProblems(
  error: unknown,
  words: Words,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  if (!(error instanceof PortalError)) return {};
  const problems = Object.entries(error.fields).map(([path, problem]) => {
    const [name = path] = path.split(/[.[]/);
    const isTaken = name === "imei" && digits.test(String(sent.imei));
    return [name, isTaken ? words.imeiTaken : ((words as Readonly<Record<string, string>>)[name] ?? problem)] as const;
  });
  return Object.fromEntries(problems);
}
