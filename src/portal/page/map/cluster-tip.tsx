import { useShow } from "../common/use-show.ts";
import { type Motion, motions } from "./motion.ts";
import { MotionMark } from "./motion-mark.tsx";

export interface ClusterTip {
  readonly x: number;
  readonly y: number;
  readonly counts: Readonly<Record<Motion, number>>;
}

/** How many of a cluster are in which state, beside the pointer. The list has it for whoever cannot point. */
export function ClusterTipView({ tip: { x, y, counts } }: { readonly tip: ClusterTip }) {
  const show = useShow();
  return (
    <div className="cluster-tip" style={{ left: x, top: y }} aria-hidden="true">
      {motions
        .filter((motion) => counts[motion] > 0)
        .map((motion) => (
          <span key={motion}>
            <MotionMark motion={motion} />
            {show.number(counts[motion])}
          </span>
        ))}
    </div>
  );
}
