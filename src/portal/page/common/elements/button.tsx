import type { ComponentProps, MouseEvent, ReactNode } from "react";
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

export function Button({
  icon,
  text,
  of,
  look,
  isBusy = false,
  className = "",
  type = "button",
  ...button
}: ButtonProps) {
  const looks = look?.split(" ").map((name) => `button-${name}`) ?? [];
  return (
    <button
      type={type}
      className={["button", ...looks, className].join(" ").trim()}
      {...button}
      {...(isBusy && whileBusy)}
    >
      {icon && <Icon name={icon} />}
      {text}
      {of !== undefined && <span className="visually-hidden"> {of}</span>}
    </button>
  );
}

/** Also for Enter in a field of the form, which presses the button. */
const whileBusy = { "aria-disabled": true, onClick: (event: MouseEvent) => event.preventDefault() };

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
