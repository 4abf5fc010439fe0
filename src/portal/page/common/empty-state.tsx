import type { ReactNode } from "react";
import { useTexts } from "../texts/use-texts.ts";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** Where nothing else on the page has a heading. */
  readonly isWholePage?: boolean;
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

export function LoadingState({ label }: { readonly label?: string }) {
  const { common } = useTexts();
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {label ?? common.loading}…
    </div>
  );
}
