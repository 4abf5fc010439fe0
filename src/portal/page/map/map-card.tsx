import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Icon } from "../common/icon.tsx";

interface MapCardProps {
  /** What it is about: if that changes, the focus goes to its title again. */
  readonly about: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly card: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Where the card is under the map, and not over it. */
const narrow = matchMedia("(max-width: 760px)");

/** A card over the map, or under it on a phone. Escape closes it. */
export function MapCard({ about, title, subtitle, closeLabel, onClose, card, children }: MapCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new takes the focus again
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // The map and the beginning of the card, together on the screen.
    if (narrow.matches) heading.current?.closest(".map-stage")?.scrollIntoView({ block: "start" });
  }, [about]);
  return (
    <aside
      className="details"
      aria-labelledby="card-heading"
      ref={card}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="details-head">
        <div>
          <h2 id="card-heading" ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {subtitle !== undefined && <p className="quiet">{subtitle}</p>}
        </div>
        <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </aside>
  );
}
