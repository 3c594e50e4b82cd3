import { Component, type ComponentType } from "preact";

/**
 * A component that is rendered again only if its props differ, as in preact/compat, which would add
 * 3 kB (minified) to the first load.
 * @param isSame whether two sets of props render the same
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
