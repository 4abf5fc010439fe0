interface CheckListProps {
  readonly rows: readonly { readonly id: string; readonly name: string; readonly detail: string | null }[];
  readonly isChosen: (id: string) => boolean;
  readonly onChange: (id: string, isChosen: boolean) => void;
}

/** A box for each row. */
export function CheckList({ rows, isChosen, onChange }: CheckListProps) {
  return (
    <ul className="assign-list">
      {rows.map(({ id, name, detail }) => (
        <li key={id}>
          <label className="check">
            <input type="checkbox" checked={isChosen(id)} onChange={({ target }) => onChange(id, target.checked)} />
            <span className="assign-name">{name}</span>
            <span className="quiet">{detail}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
