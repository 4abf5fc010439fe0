import { useCallback, useId, useState } from "react";
import type { Device, LatestPosition } from "../api/records.ts";
import { getJson } from "../api/request.ts";
import { useAddress } from "../common/address.ts";
import { FindOne, maxListed } from "../common/find-one.tsx";
import { useDevices, useVehiclesByName } from "../common/use-devices.ts";
import { useLoad } from "../common/use-load.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { IngestAddress } from "./token-records.ts";
import { TrackerLines } from "./tracker-lines.tsx";
import type { Place } from "./tracker-ways.ts";

interface VehicleLinesProps {
  readonly address: IngestAddress;
  readonly token: string | null;
}

/** The lines for a vehicle that is chosen from all. */
export function VehicleLines({ address, token }: VehicleLinesProps) {
  const { trackers: words } = useAdministrationTexts();
  const devices = useDevices();
  const vehicles = useVehiclesByName();
  // The page of vehicles leads here with a new one.
  const { get } = useAddress();
  const [chosen, setChosen] = useState(() => get("vehicle"));
  const vehicle = vehicles.find(({ device_id }) => device_id === chosen) ?? vehicles[0] ?? null;
  const place = usePlaceOf(vehicle);
  return (
    <>
      {vehicle === null ? (
        devices !== null && <p className="quiet">{words.noVehicle}</p>
      ) : (
        <VehicleChoice vehicles={vehicles} chosen={vehicle} onChoose={setChosen} />
      )}
      <TrackerLines address={address} token={token} imei={vehicle?.imei ?? null} place={place} />
    </>
  );
}

/** Where it is now, so that trying a line moves nothing. */
function usePlaceOf(vehicle: Device | null): Place | null {
  const imei = vehicle?.imei ?? null;
  const load = useCallback(
    async (signal: AbortSignal): Promise<Place | null> => {
      if (imei === null) return null;
      const query = new URLSearchParams({ imei });
      const { data } = await getJson<{ data: readonly LatestPosition[] }>(`/data/positions/latest?${query}`, signal);
      const [{ latitude = null, longitude = null } = {}] = data;
      return latitude === null || longitude === null ? null : { latitude, longitude };
    },
    [imei],
  );
  return useLoad(load).loaded.data;
}

interface VehicleChoiceProps {
  readonly vehicles: readonly Device[];
  readonly chosen: Device;
  readonly onChoose: (deviceId: string) => void;
}

function VehicleChoice({ vehicles, chosen, onChoose }: VehicleChoiceProps) {
  const id = useId();
  const { common } = useTexts();
  const options = vehicles.map(({ device_id, name }) => [device_id, name] as const);
  return (
    <div className="field tracker-vehicle">
      <label htmlFor={id}>{common.vehicle}</label>
      {vehicles.length > maxListed ? (
        <FindOne id={id} options={options} present={chosen.name} onFound={onChoose} />
      ) : (
        <select id={id} value={chosen.device_id} onChange={({ target }) => onChoose(target.value)}>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
