import { motionShapes, type ShownMotion } from "../common/vehicles/motion.ts";
import { useTexts } from "../texts/use-texts.ts";

/** The same mark as on the map: a shape and a colour for each state. */
export function MotionMark({
  motion,
  heading = 45,
}: {
  readonly motion: ShownMotion;
  readonly heading?: number | null;
}) {
  const turn = motion === "moving" ? `rotate(${heading ?? 0} 12 12)` : undefined;
  return (
    <svg className={`mark mark-${motion}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <g transform={turn}>
        <path className="mark-body" d={motionShapes[motion].body} />
        <path className="mark-sign" d={motionShapes[motion].sign} />
      </g>
    </svg>
  );
}

/** Of a vehicle that is not on the map. */
export function UnreportedMark() {
  return (
    <svg className="mark mark-unreported" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path className="mark-body" d="M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z" />
    </svg>
  );
}

export function MotionBadge({ motion }: { readonly motion: ShownMotion }) {
  const { map: words } = useTexts();
  return (
    <span className={`badge badge-${motion}`}>
      <MotionMark motion={motion} />
      {words.motion[motion]}
    </span>
  );
}
