import { Component, type ReactNode } from "react";
import { retryFailedLoads } from "./loadable.tsx";
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
    if (view !== this.props.view && this.state.error !== null) this.#again();
  }

  #again = () => {
    retryFailedLoads();
    this.setState({ error: null });
  };

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="page">
        <ErrorNotice error={this.state.error} retry={this.#again} />
      </div>
    );
  }
}
