import { useEffect, useRef } from "react";
import { Button } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

export interface Done {
  readonly what: "added" | "back";
  readonly id: string;
  readonly name: string;
}

interface DoneNoticeProps {
  readonly done: Done;
  readonly onEdit: (id: string) => void;
}

/** Says that it is done, and leads to what comes next. */
export function DoneNotice({ done: { what, id, name }, onEdit }: DoneNoticeProps) {
  const { vehicles: words } = useAdministrationTexts();
  const box = useRef<HTMLDivElement>(null);
  // The button that put it back is gone with its row.
  useEffect(() => {
    if (what === "back") box.current?.focus();
  }, [what]);
  return (
    <div ref={box} tabIndex={-1} className="done-notice">
      <Notice kind="success">
        {what === "added" ? (
          <>
            <p>
              <strong>{words.added(name)}.</strong> {words.addedNext}
            </p>
            <p>
              <Link to={`/fleet/trackers?vehicle=${id}`}>{words.trackerLines}</Link>
            </p>
          </>
        ) : (
          <>
            <p>
              <strong>{words.isBack(name)}.</strong> {words.backNext}
            </p>
            <Button look="small" text={words.chooseWhoSees} onClick={() => onEdit(id)} />
          </>
        )}
      </Notice>
    </div>
  );
}
