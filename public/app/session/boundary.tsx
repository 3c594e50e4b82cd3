import { CircleAlert } from "lucide";
import { Component, type ComponentChildren } from "preact";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { RetryButton } from "../parts/error-text.tsx";
import { NotLoaded } from "../parts/load-chunk.tsx";
import { getRest } from "../parts/load-rest.tsx";
import { t } from "../words/translate.ts";
import { store } from "./store.ts";

type BoundaryProps = {
  children: ComponentChildren;
  /** Identifies the content: when this changes, the error is cleared. */
  of?: unknown;
  /** Set if the children fill the page: the error then links to the rooms. */
  main?: boolean;
  /** Wraps the error in the layout of the children. */
  frame?(error: ComponentChildren): ComponentChildren;
};
type BoundaryState = { of: unknown; error: Error | null; errorCount: number };

/** Catches the errors of its children and offers a retry. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, error: null, errorCount: 0 };

  static override getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState) {
    return of === state.of ? null : { of, error: null, errorCount: 0 };
  }

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof NotLoaded)) {
      console.error(error);
      // The stored state would restore the content that fails to render.
      void store.turnOffStorage();
    }
    this.setState(({ errorCount }) => ({ errorCount: errorCount + 1 }));
  }

  override render() {
    const { children, main, frame } = this.props;
    const { error, errorCount } = this.state;
    if (!error) return children;
    const message = (
      <Empty
        icon={CircleAlert}
        main={main}
        title={t("part.failed")}
        text={t(error instanceof NotLoaded ? "part.not-loaded-text" : "part.failed-text")}
      >
        <div class="actions">
          <RetryButton kind="primary" onRetry={() => this.setState({ error: null })} />
          {errorCount > 1 && <Button onClick={() => location.reload()}>{t("part.reload")}</Button>}
          {main && (
            <a class="button" href="/">
              {t("shell.to-rooms")}
            </a>
          )}
        </div>
      </Empty>
    );
    return frame ? frame(message) : message;
  }
}

type DialogBoundaryProps = { of?: unknown; onClose(): void; children: ComponentChildren };

/**
 * Shows an error of a dialog in a dialog that can be closed, or on the page until that dialog is
 * loaded.
 */
export function DialogBoundary({ of, onClose, children }: DialogBoundaryProps) {
  return (
    <Boundary
      of={of}
      frame={(error) => {
        const Dialog = getRest()?.Dialog;
        if (!Dialog) return error;
        return (
          <Dialog title={t("part.failed")} onClose={onClose}>
            {error}
          </Dialog>
        );
      }}
    >
      {children}
    </Boundary>
  );
}
