import { useId, useState } from "react";

/** `also` is what it is found by besides its text. */
export type FindOption = readonly [value: string, text: string, also?: string | null];

/** Nobody finds a vehicle in a longer list; and it would slow down every page. */
export const maxListed = 300;
const maxFound = 20;

interface FindOneProps {
  /** Of the input, for a label beside it. */
  readonly id?: string;
  /** Where there is no label beside it. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly options: readonly FindOption[];
  /** What stands in it while nothing is typed. */
  readonly present?: string;
  readonly onFound: (value: string) => void;
}

/** Of thousands, those that contain what is typed. A whole name is taken at once. */
export function FindOne({ id, label, placeholder, options, present = "", onFound }: FindOneProps) {
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = (typed ?? "").trim().toLowerCase();
  const isFound = ([, text, also]: FindOption) =>
    text.toLowerCase().includes(wanted) || also?.toLowerCase().includes(wanted);
  const found = wanted === "" ? [] : options.filter(isFound);
  const type = (text: string) => {
    const whole = options.find(([, name]) => name === text);
    if (whole) onFound(whole[0]);
    setTyped(whole ? null : text);
  };
  return (
    <>
      <input
        id={id}
        type="search"
        aria-label={label}
        list={listId}
        placeholder={placeholder}
        value={typed ?? present}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={listId}>
        {found.slice(0, maxFound).map(([value, text]) => (
          <option key={value} value={text} />
        ))}
      </datalist>
    </>
  );
}
