import { Component, type ComponentChild, type ComponentChildren } from "preact";
import { common } from "../texts/common.ts";
import { MissingPart } from "./later.tsx";

interface BoundaryProps {
  children: ComponentChildren;
  /** What its children show: when it changes, they are tried again. */
  again?: unknown;
  /** Reads again what they show, when somebody presses the button. */
  onAgain?(): Promise<unknown>;
  /** What the sentence is shown in; a card by default. */
  frame?(sentence: ComponentChild): ComponentChild;
}

interface BoundaryState {
  error: unknown;
  again: unknown;
}

/** Shows its children or, if they fail to render, a sentence with a button that tries again. The rest of the page stays. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, again: undefined };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static override getDerivedStateFromProps({ again }: BoundaryProps, state: BoundaryState) {
    return again === state.again ? null : { again, error: null };
  }

  override componentDidCatch(error: unknown) {
    // For the console, as if nobody had caught it.
    if (!(error instanceof MissingPart)) setTimeout(() => Promise.reject(error));
  }

  override render() {
    const { children, onAgain, frame = inCard } = this.props;
    const { error } = this.state;
    if (error === null) return children;
    // Only loading the page again helps.
    if (error instanceof MissingPart) throw error;
    const tryAgain = async () => {
      await onAgain?.();
      this.setState({ error: null });
    };
    return frame(
      <div role="alert">
        <p>{common.partBroken}</p>
        <button type="button" class="button" onClick={() => void tryAgain()}>
          {common.tryAgain}
        </button>
      </div>,
    );
  }
}

function inCard(sentence: ComponentChild) {
  return <section class="card">{sentence}</section>;
}
