import { useState } from "react";
import type { MadeShare } from "../../both-sides/contract/shares.ts";
import { Button } from "../common/elements/button.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { MadeShareDialog, ShareDialog } from "./share-dialog.tsx";

/** On the card of a vehicle: makes a link that shows it. */
export function ShareButton(vehicle: { readonly id: string; readonly name: string }) {
  const { shares: words } = useTexts();
  const [open, setOpen] = useState<"asking" | MadeShare | null>(null);
  const onClose = () => setOpen(null);
  return (
    <>
      <Button icon="share" text={words.share} onClick={() => setOpen("asking")} />
      {open === "asking" && <ShareDialog vehicle={vehicle} onClose={onClose} onMade={setOpen} />}
      {open !== null && open !== "asking" && <MadeShareDialog made={open} onClose={onClose} />}
    </>
  );
}
