import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface ColourFieldProps {
  readonly colour: string | null;
  readonly onChange: (colour: string | null) => void;
}

const usual = "#1e90ff";

/** The colour in which the fence is drawn; without one, it has that of the map. */
export function ColourField({ colour, onChange }: ColourFieldProps) {
  const { fences: words } = useAdministrationTexts();
  return (
    <div className="colour-field">
      <label className="check">
        <input
          type="checkbox"
          checked={colour !== null}
          onChange={({ target }) => onChange(target.checked ? usual : null)}
        />
        <span>{words.ownColour}</span>
      </label>
      {colour !== null && (
        <input
          type="color"
          aria-label={words.colour}
          value={inHex(colour)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}

/** The browser's input knows six digits only, a fleet file words as well. */
function inHex(colour: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return usual;
  context.fillStyle = usual;
  context.fillStyle = colour;
  return context.fillStyle;
}
