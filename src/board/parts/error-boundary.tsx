import { Component, type ComponentChildren } from "preact";
import { common } from "../texts/common.ts";

/** Shows its children or, if they fail, a message with what to do. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main class="sheet">
        <h1>{common.broken}</h1>
        <p>{common.brokenHint}</p>
        <p class="quiet">{error instanceof Error ? error.message : String(error)}</p>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {common.loadAgain}
        </button>
      </main>
    );
  }
}
