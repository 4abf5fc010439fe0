import { useCallback } from "react";
import { alertSentence, typeWords } from "../../../both-sides/alerts/alert-words.ts";
import type { Alert } from "../../../both-sides/contract/data.ts";
import type { Window } from "../../../both-sides/periods/days.ts";
import { maxWindowMs, piecesOf } from "../../../both-sides/reports/row-source.ts";
import { collect } from "../../api/pages.ts";
import { useLoad } from "../../common/loading/use-load.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { MomentLink } from "../draw-cell.tsx";

/** More than a page can list; each is an event of minutes. */
const maxEvents = 500;
const types = ["fuel_refill", "fuel_drain"] as const;

/** When a vehicle was refuelled or lost fuel, in the order of time; empty until it is known, and for other sensors. */
export function useFuelEvents(deviceId: string, kind: "fuel" | "temperature", window: Window): readonly Alert[] {
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Alert[]> => {
      if (kind !== "fuel") return [];
      const found: Alert[] = [];
      for (const { from, to } of piecesOf(window, maxWindowMs)) {
        const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        for (const alert_type of types) {
          const { rows } = await collect("alerts", { device_id: deviceId, alert_type, ...period }, maxEvents, signal);
          found.push(...rows);
        }
      }
      return found.sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
    },
    [deviceId, kind, window],
  );
  return useLoad(load).loaded.data ?? [];
}

interface FuelEventsProps {
  readonly events: readonly Alert[];
  readonly zone: string;
}

/** Each leads to its moment in playback. */
export function FuelEvents({ events, zone }: FuelEventsProps) {
  const { reports: words, alerts, show } = useTexts();
  return (
    <div className="fuel-events">
      <h3>{words.refillsAndDrains}</h3>
      {events.length === 0 ? (
        <p className="quiet">{words.noFuelEvents}</p>
      ) : (
        <ul>
          {events.map((alert) => (
            <li key={alert.alert_id} className={alert.alert_type === "fuel_drain" ? "fuel-drain" : "fuel-refill"}>
              <MomentLink deviceId={alert.device_id} at={alert.occurred_at} zone={zone} />{" "}
              {alertSentence(alert, alerts, show) ?? typeWords(alert.alert_type, alerts)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
