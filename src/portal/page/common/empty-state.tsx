import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** Where nothing else on the page has a heading. */
  readonly isWholePage?: boolean;
  /** What to do next. */
  readonly children: ReactNode;
}

export function EmptyState({ icon, title, isWholePage = false, children }: EmptyStateProps) {
  const Heading = isWholePage ? "h1" : "h2";
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} />
      </span>
      <Heading>{title}</Heading>
      <div className="empty-text">{children}</div>
    </div>
  );
}

export function LoadingState({ label = "Loading" }: { readonly label?: string }) {
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {label}…
    </div>
  );
}
