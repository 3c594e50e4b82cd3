import { Component, type ComponentType } from "preact";

/**
 * Rerenders a component only if its props differ. `memo` of preact/compat would add 3 kB (minified)
 * to the first load.
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
