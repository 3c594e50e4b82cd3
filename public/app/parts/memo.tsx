import { Component, type ComponentType } from "preact";

/**
 * A component that is drawn anew only where its properties differ. It is that of preact/compat, which
 * would bring 3 kB of a first load (minified) with it.
 * @param isSame whether what is drawn from two sets of properties is the same
 */
export function memo<Props extends object>(
  Shown: ComponentType<Props>,
  isSame: (a: Props, b: Props) => boolean,
): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props) {
      return !isSame(this.props, next);
    }

    override render() {
      return <Shown {...this.props} />;
    }
  };
}
