import { loadDevices } from "../api/devices.ts";
import { EmptyState } from "../common/empty-state.tsx";
import { LoadState } from "../common/load-state.tsx";
import { Link } from "../common/route.tsx";
import { useLoad } from "../common/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";

/** For a sub-account: the vehicles that are assigned to it. */
export function OwnVehicles() {
  const { account: words, common, map, show } = useTexts();
  const loading = useLoad(loadDevices);
  const { loaded } = loading;
  const devices = [...(loaded.data?.values() ?? [])].sort((left, right) => show.compare(left.name, right.name));
  return (
    <section className="card" aria-labelledby="own-vehicles">
      <h2 id="own-vehicles">{words.yourVehicles}</h2>
      <p className="quiet">
        {loaded.data === null
          ? common.looking
          : words.youSee(common.vehicles(devices.length, show.number(devices.length)))}{" "}
        {words.ownerDecides}
      </p>
      <LoadState {...loading} />
      {loaded.state === "ready" && devices.length === 0 && (
        <EmptyState icon="map" title={map.noVehicles}>
          <p>{words.askOwner}</p>
        </EmptyState>
      )}
      <ul className="own-vehicles">
        {devices.map(({ device_id, name, plate, imei }) => (
          <li key={device_id}>
            <Link to={`/map?vehicle=${device_id}`}>{name}</Link>
            <span className="quiet">{plate ?? imei}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
