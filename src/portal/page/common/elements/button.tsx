import type { ComponentProps, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type Look = "small" | "primary" | "danger" | "danger-solid" | "wide" | "own-width";

type ButtonAttributes = Omit<ComponentProps<"button">, "children">;

interface ButtonProps extends ButtonAttributes {
  /** Before the text. */
  readonly icon?: IconName | undefined;
  readonly text: ReactNode;
  /** Which of several it is, for screen readers. */
  readonly of?: string;
  readonly look?: Look | `${Look} ${Look}` | `${Look} ${Look} ${Look}`;
}

export function Button({ icon, text, of, look, className = "", type = "button", ...button }: ButtonProps) {
  const looks = look?.split(" ").map((name) => `button-${name}`) ?? [];
  return (
    <button type={type} className={["button", ...looks, className].join(" ").trim()} {...button}>
      {icon && <Icon name={icon} />}
      {text}
      {of !== undefined && <span className="visually-hidden"> {of}</span>}
    </button>
  );
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
