import { z } from "zod";
import { utc, zoneNamed } from "../../domain/time/time-zone.ts";

const anyZone = 'an IANA time zone such as "Europe/Berlin"';

/** The name of an account's time zone as IANA spells it; the file may write it in any case. Left out or empty: UTC. */
export const timeZone = z
  .string({ error: anyZone })
  .trim()
  .nullish()
  .transform((name, context): string => {
    const zone = name ? zoneNamed(name) : utc;
    if (zone === null) context.addIssue({ code: "custom", message: expectedInsteadOf(name ?? ""), input: name });
    return zone?.name ?? z.NEVER;
  });

/** IANA has names for whole hours only, and their signs are the opposite: `Etc/GMT-2` is two hours ahead of UTC. */
function expectedInsteadOf(name: string): string {
  const [, sign, hours, minutes = "00"] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  if (sign === undefined || minutes !== "00") return anyZone;
  const fixed = Number(hours) === 0 ? utc.name : `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
  return zoneNamed(fixed) === null ? anyZone : `${anyZone}, or "${fixed}" if its clocks never change`;
}
