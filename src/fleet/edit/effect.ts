import { formatInstant } from "../../domain/time/time.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Reader } from "../../store/database.ts";
import { countFacts, type FactCounts } from "../../store/facts/fact-counts.ts";
import { countDevices } from "../../store/fleet/device-writes.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { Effect, EffectWarning } from "../consequences/effect-types.ts";

/** Facts of one moment are counted together: a fence may concern thousands of devices. */
export async function effectOf(
  reader: Reader,
  consequences: Consequences,
  warnings: readonly EffectWarning[],
): Promise<Effect> {
  const total = { trips: 0, crossings: 0, alerts: 0 };
  let vehicles = 0;
  let earliest = Number.POSITIVE_INFINITY;
  const count = (counts: FactCounts, devices: number, from: number) => {
    total.trips += counts.trips;
    total.crossings += counts.crossings;
    total.alerts += counts.alerts;
    vehicles += devices;
    earliest = Math.min(earliest, from);
  };
  for (const accountId of consequences.accountsDerivedAgain) {
    const counts = await countFacts(reader, accountId, null, fromTheBeginning);
    count(counts, await countDevices(reader, accountId), fromTheBeginning);
  }
  const byThemselves = [...consequences.derivedAgain].filter(
    ({ key }) => !consequences.accountsDerivedAgain.has(key.accountId),
  );
  for (const [accountId, own] of Map.groupBy(byThemselves, ({ key }) => key.accountId)) {
    for (const [from, together] of Map.groupBy(own, (dirty) => dirty.from)) {
      const devices = together.map(({ key }) => key.device);
      count(await countFacts(reader, accountId, devices, from), devices.length, from);
    }
  }
  const hasBeginning = Number.isFinite(earliest) && earliest > fromTheBeginning;
  return {
    assignments_begun: consequences.assignments.begun,
    assignments_ended: consequences.assignments.ended,
    sub_accounts: consequences.subAccountsConcerned,
    derived_again: { vehicles, from: hasBeginning ? formatInstant(earliest) : null, ...total },
    warnings,
  };
}
