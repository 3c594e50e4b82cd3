import { Component, type ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";

/** Keeps a fault to its own pane, with a way back. */
export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty title="This part did not load" text="The rest goes on working. Try this part again.">
        <Button kind="primary" onClick={() => this.setState({ failed: false })}>
          Try again
        </Button>
      </Empty>
    );
  }
}
