import { Component, type ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { loadAnew, reloadIfThere } from "./reload.ts";
import { t } from "../words/translate.ts";

/** The code of a part did not come: without the network, or after an update has replaced it. */
export class NotLoaded extends Error {}

type BoundaryProps = {
  children: ComponentChildren;
  /** What is shown, by identity: where it is another, what went wrong before is forgotten. */
  of?: unknown;
  /** It is all that the page holds: the way leads to one's rooms as well. */
  main?: boolean;
  /** Puts the fault where the pane stood, or into a dialog. */
  frame?(fault: ComponentChildren): ComponentChildren;
};
type BoundaryState = { of: unknown; error: Error | null; faults: number };

/** Keeps a fault to its own pane, with a way back. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, error: null, faults: 0 };

  static override getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState) {
    return of === state.of ? null : { of, error: null, faults: 0 };
  }

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof NotLoaded)) console.error(error);
    // Chromium keeps to it that a file did not come, for as long as the page is open.
    else if (this.state.faults > 0) void reloadIfThere();
    this.setState(({ faults }) => ({ faults: faults + 1 }));
  }

  override render() {
    const { children, main, frame } = this.props;
    const { error, faults } = this.state;
    if (!error) return children;
    const fault = (
      <Empty
        main={main}
        title={t("part.failed")}
        text={t(error instanceof NotLoaded ? "part.not-loaded-text" : "part.failed-text")}
      >
        <div class="actions">
          <Button kind="primary" onClick={() => this.setState({ error: null })}>
            {t("try-again")}
          </Button>
          {/* What is known may itself be what cannot be drawn. */}
          {faults > 1 && <Button onClick={() => void loadAnew()}>{t("part.load-again")}</Button>}
          {main && (
            <a class="button" href="/">
              {t("shell.to-rooms")}
            </a>
          )}
        </div>
      </Empty>
    );
    return frame ? frame(fault) : fault;
  }
}
