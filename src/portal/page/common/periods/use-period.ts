import { useMemo } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { useAddress } from "../navigation/address.ts";
import { useNow } from "../reading/clock.ts";
import { useSession } from "../session.ts";
import { dayAt } from "./days.ts";
import { maxPeriodDays, type Period, type PeriodName, periodOf } from "./period.ts";

/** The period in the address, in days of the account's time zone. Changes at midnight. */
export function usePeriod(usual: PeriodName, maxDays = maxPeriodDays): Period {
  const { get } = useAddress();
  const zone = useSession().account.time_zone;
  const { weekStart } = useTexts().show;
  const today = dayAt(useNow(60_000), zone);
  const [period, from, to] = [get("period"), get("from"), get("to")];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another period
  return useMemo(
    () => periodOf({ period, from, to }, { name: usual, maxDays, zone, weekStart }, Date.now()),
    [period, from, to, usual, maxDays, zone, weekStart, today],
  );
}
