import { momentPath } from "../common/paths.ts";
import { Link } from "../common/route.tsx";
import type { Detail } from "../common/show.ts";
import { Time } from "../common/time.tsx";

interface MomentLinkProps {
  readonly deviceId: string;
  readonly at: string | number;
  readonly zone: string;
  readonly detail?: Detail;
}

/** A time that leads to that moment in playback. */
export function MomentLink({ deviceId, at, zone, detail = "minute" }: MomentLinkProps) {
  return (
    <Link to={momentPath(deviceId, at, zone)}>
      <Time at={at} detail={detail} />
    </Link>
  );
}
