import { loadDevices } from "../api/devices.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { inCountingOrder, plural } from "../common/format.ts";
import { ErrorNotice } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { useLoad } from "../common/use-load.ts";

/** For a sub-account: the vehicles that are assigned to it. */
export function OwnVehicles() {
  const { loaded, reload } = useLoad(loadDevices);
  const devices = [...(loaded.data?.values() ?? [])].sort((left, right) => inCountingOrder(left.name, right.name));
  return (
    <section className="card" aria-labelledby="own-vehicles">
      <h2 id="own-vehicles">Your vehicles</h2>
      <p className="quiet">
        {loaded.data === null ? "Looking…" : `You see ${plural(devices.length, "vehicle")}.`} The owner of the account
        decides which.
      </p>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.data === null && loaded.state === "loading" && <LoadingState label="Loading your vehicles" />}
      {loaded.state === "ready" && devices.length === 0 && (
        <EmptyState icon="map" title="No vehicles yet">
          <p>Ask the owner of the account to assign some to you.</p>
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
