import type { ReactNode } from "react";
import { momentPath } from "../../both-sides/periods/paths.ts";
import type { Cell, CellPart } from "../../both-sides/reports/cells.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Time } from "../common/reading/time.tsx";
import { PlaceText } from "../places/place.tsx";

/** A cell as the page shows it. */
export function drawCell(cell: Cell): ReactNode {
  if (typeof cell === "string") return cell;
  const parts = Array.isArray(cell) ? (cell as readonly CellPart[]) : [cell as CellPart];
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a cell never change places
  return parts.map((part, index) => <DrawnPart key={index} part={part} />);
}

function DrawnPart({ part }: { readonly part: CellPart }): ReactNode {
  if (typeof part === "string") return part;
  switch (part.kind) {
    case "time":
      return <Time at={part.at} detail={part.detail} />;
    case "moment":
      return <MomentLink {...part} />;
    case "place":
      return <PlaceText latitude={part.place.latitude} longitude={part.place.longitude} />;
    case "link":
      return <Link to={part.to}>{part.text}</Link>;
    case "aside":
      return <span className="quiet"> {part.text}</span>;
    case "severity":
      return (
        <span className={`report-severity severity-${part.severity}`}>
          <SeveritySign severity={part.severity} /> {part.text}
        </span>
      );
  }
}

interface MomentLinkProps {
  readonly deviceId: string;
  readonly at: string | number;
  readonly zone: string;
}

export function MomentLink({ deviceId, at, zone }: MomentLinkProps) {
  return (
    <Link to={momentPath(deviceId, at, zone)}>
      <Time at={at} />
    </Link>
  );
}
