import { getPage } from "../api/pages.ts";
import type { Device } from "../api/records.ts";
import { EmptyState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { nothingShown } from "./map-words.ts";

const loadHasVehicles = async (signal: AbortSignal) =>
  (await getPage<Device>("devices", { limit: "1" }, signal)).data.length > 0;

/** In place of the list, where no vehicle has a position. */
export function NoVehicles() {
  const { user } = useSession();
  const { map: words } = useTexts();
  const { loaded } = useLoad(loadHasVehicles);
  if (loaded.state === "loading") return null;
  const { title, texts, next } = nothingShown(user.role, loaded.data ?? true, words);
  return (
    <EmptyState icon="map" title={title}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {next !== null && (
        <Link to="/start" className="button button-primary">
          {next === "add" ? words.addFirst : words.goOn}
        </Link>
      )}
      {next === "go on" && (
        <Link to="/fleet/trackers" className="button">
          {words.trackers}
        </Link>
      )}
    </EmptyState>
  );
}
