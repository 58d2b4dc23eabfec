import { Component, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { reloadAfterError } from "../app/newer-version.ts";
import { common } from "../texts/common.ts";

/** Shows its children or, if they fail, a message until the page is loaded again: by itself, because nobody stands beside a wall. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Broken error={error} />;
  }
}

function Broken({ error }: { error: unknown }) {
  useEffect(reloadAfterError, []);
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
