import { Component, type ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { say } from "../words/say.ts";

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
      <Empty title={say("part.failed")} text={say("part.failed-text")}>
        <Button kind="primary" onClick={() => this.setState({ failed: false })}>
          {say("try-again")}
        </Button>
      </Empty>
    );
  }
}
