import { type ReactNode, useState } from "react";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import type { IconName } from "../common/elements/icon.tsx";
import { EmptyState, LoadState } from "../common/loading/notice.tsx";
import type { Loading } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { type CardColumn, CardTable } from "../common/tables/card-table.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { CreateProps } from "./create-dialog.tsx";

interface Credential {
  readonly name: string;
  /** How it begins: the rest is not stored. A link has none to show. */
  readonly prefix?: string;
}

export interface RotateProps<Made> extends CreateProps<Made> {
  /** The list is out of date: it was revoked or rotated elsewhere. */
  readonly onRefused: () => void;
}

/** What differs between API keys, the tokens of trackers and share links. */
interface CredentialsProps<Item extends Credential, Made> {
  readonly words: Texts["keys"] | Texts["shares"] | AdministrationTexts["trackers"];
  readonly caption: string;
  readonly about: ReactNode;
  /** What comes before the list. */
  readonly before?: ReactNode;
  readonly icon: IconName;
  readonly loading: Pick<Loading<{ readonly data: readonly Item[] }>, "loaded" | "reload">;
  readonly revoke: (item: Item) => Promise<unknown>;
  readonly idOf: (item: Item) => string;
  readonly stateOf: (item: Item) => string;
  /** Whether it works or may work again. Others are shown only to a person who wants to see them. */
  readonly isLasting: (item: Item) => boolean;
  readonly badges: (item: Item) => ReactNode;
  readonly columns: readonly CardColumn<Item>[];
  readonly createDialog: (props: CreateProps<Made>) => ReactNode;
  readonly madeDialog: (made: Made, onClose: () => void) => ReactNode;
  /** What else to know before it is revoked. */
  readonly revokeNote?: (item: Item) => ReactNode;
  /** Where one can be replaced by another. */
  readonly rotation?: {
    readonly isOffered: (item: Item) => boolean;
    readonly text: string;
    readonly label: (name: string) => string;
    readonly dialog: (item: Item, props: RotateProps<Made>) => ReactNode;
  };
}

type OpenCredential<Item, Made> =
  | { readonly dialog: "create" }
  | { readonly dialog: "made"; readonly made: Made }
  | { readonly dialog: "rotate" | "revoke"; readonly item: Item };

/** Keys, tokens or links: a list, and what makes, replaces and revokes them. */
export function Credentials<Item extends Credential, Made>(props: CredentialsProps<Item, Made>) {
  const { words, icon, loading, idOf, stateOf, isLasting, badges, rotation } = props;
  const { common, credentials, show } = useTexts();
  const { loaded, reload } = loading;
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const [open, setOpen] = useState<OpenCredential<Item, Made> | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const all = loaded.data?.data ?? [];
  const lasting = all.filter(isLasting);
  const ended = all.length - lasting.length;
  const rows = showsEnded ? all : lasting;
  const isEmpty = loaded.data !== null && all.length === 0;
  const then = {
    onClose: () => setOpen(null),
    onMade: (made: Made) => {
      setOpen({ dialog: "made", made });
      reload();
    },
    onRefused: reload,
  };
  const revoke = async (item: Item) => {
    await props.revoke(item);
    announce(words.revoked(item.name));
    focusAfterRemoval();
    setOpen(null);
    reload();
  };
  const createButton = (text: string) => (
    <Button look="primary" icon="plus" text={text} onClick={() => setOpen({ dialog: "create" })} />
  );
  const nameColumn = {
    label: common.name,
    cell: (item: Item) => (
      <>
        <span className="key-name block break">{item.name}</span>
        {item.prefix !== undefined && <code className="block quiet">{item.prefix}…</code>}
        {badges(item)}
      </>
    ),
  };
  const actionsOf = (item: Item) =>
    isLasting(item) ? (
      <>
        {rotation?.isOffered(item) && (
          <Button
            look="small"
            icon="rotate"
            text={rotation.text}
            aria-label={rotation.label(item.name)}
            onClick={() => setOpen({ dialog: "rotate", item })}
          />
        )}
        <Button
          look="small danger"
          text={credentials.revoke}
          aria-label={credentials.revokeWho(item.name)}
          onClick={() => setOpen({ dialog: "revoke", item })}
        />
      </>
    ) : null;
  return (
    <>
      <PageHead title={words.title} text={props.about}>
        {!isEmpty && createButton(words.create)}
      </PageHead>
      {props.before}
      <LoadState {...loading} />
      {isEmpty && (
        <EmptyState icon={icon} title={words.none}>
          <p>{words.noneWhat}</p>
          {createButton(words.createFirst)}
        </EmptyState>
      )}
      {all.length > 0 && rows.length === 0 && <p className="quiet">{words.noneActive}</p>}
      {rows.length > 0 && (
        <CardTable
          caption={props.caption}
          rows={rows}
          keyOf={idOf}
          marksOf={(item) => ({ "data-state": stateOf(item) })}
          columns={[nameColumn, ...props.columns]}
          actionsOf={actionsOf}
        />
      )}
      {ended > 0 && (
        <label className="check">
          <input type="checkbox" checked={showsEnded} onChange={({ target }) => setShowsEnded(target.checked)} />
          {words.showEnded(show.number(ended))}
        </label>
      )}
      {open?.dialog === "create" && props.createDialog(then)}
      {open?.dialog === "made" && props.madeDialog(open.made, then.onClose)}
      {open?.dialog === "rotate" && rotation?.dialog(open.item, then)}
      {open?.dialog === "revoke" && (
        <ConfirmDialog
          title={credentials.revokeTitle(open.item.name)}
          words={[words.revokeIt, credentials.revoking, words.keepIt]}
          onClose={then.onClose}
          work={() => revoke(open.item)}
        >
          <p>{words.revokeWhat(open.item.prefix === undefined ? open.item.name : `${open.item.prefix}…`)}</p>
          {props.revokeNote?.(open.item)}
        </ConfirmDialog>
      )}
    </>
  );
}
