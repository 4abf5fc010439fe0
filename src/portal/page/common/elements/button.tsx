import { type ComponentProps, type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

type Look = "small" | "primary" | "danger" | "danger-solid" | "wide" | "own-width";

type ButtonAttributes = Omit<ComponentProps<"button">, "children">;

interface ButtonProps extends ButtonAttributes {
  /** Before the text. */
  readonly icon?: IconName | undefined;
  readonly text: ReactNode;
  /** It works, and does nothing when it is pressed once more. One that is disabled meanwhile would lose the focus. */
  readonly isBusy?: boolean | undefined;
  /** Which of several it is, for screen readers. */
  readonly of?: string;
  readonly look?: Look | `${Look} ${Look}` | `${Look} ${Look} ${Look}`;
}

/** Pressed again while what it does goes on, because the server answers late, it does nothing. It keeps the focus. */
export function Button(props: ButtonProps) {
  const { icon, text, of, look, isBusy = false, className = "", type = "button", onClick, ...button } = props;
  const looks = look?.split(" ").map((name) => `button-${name}`) ?? [];
  const { isUnderWay, press } = useOnce(onClick);
  return (
    <button
      type={type}
      className={["button", ...looks, className].join(" ").trim()}
      {...button}
      // Enter in a field of the form presses the button, too.
      onClick={isBusy ? (event) => event.preventDefault() : press}
      aria-disabled={isBusy || isUnderWay || button["aria-disabled"] || undefined}
    >
      {icon && <Icon name={icon} />}
      {text}
      {of !== undefined && <span className="visually-hidden"> {of}</span>}
    </button>
  );
}

/** Handlers that return a promise are busy until it ends. */
function useOnce(onClick: ButtonAttributes["onClick"]) {
  const [isUnderWay, setUnderWay] = useState(false);
  const isPressed = useRef(false);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPressed.current) return event.preventDefault();
    const work: unknown = onClick?.(event);
    if (!(work instanceof Promise)) return;
    isPressed.current = true;
    setUnderWay(true);
    void work.finally(() => {
      isPressed.current = false;
      setUnderWay(false);
    });
  };
  return { isUnderWay, press };
}

interface IconButtonProps extends ButtonAttributes {
  readonly icon: IconName;
  readonly label: string;
}

/** A button with a sign only; what it does is its name for screen readers. */
export function IconButton({ icon, label, ...button }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} {...button}>
      <Icon name={icon} />
    </button>
  );
}

/** A button that looks like a link. */
export function LinkButton({ text, ...button }: ButtonAttributes & { readonly text: ReactNode }) {
  return (
    <button type="button" className="link-button" {...button}>
      {text}
    </button>
  );
}
