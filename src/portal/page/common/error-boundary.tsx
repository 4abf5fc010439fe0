import { Component, type ReactNode } from "react";
import { ErrorNotice } from "./notice.tsx";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Another view gets another chance. */
  readonly view: string;
}

/** A fault in one view must not leave an empty page: the navigation stays, and the view can be opened again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ view }: ErrorBoundaryProps) {
    if (view !== this.props.view && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="page">
        <ErrorNotice error={this.state.error} retry={reloadIfReachable} />
      </div>
    );
  }
}

/**
 * A browser remembers for ever that a script could not be loaded, so the page is loaded anew; its address holds what was
 * shown. But not while the server is away: then the browser would show a page of its own.
 */
function reloadIfReachable(): void {
  fetch(location.pathname, { method: "HEAD" }).then(
    () => location.reload(),
    () => {},
  );
}
