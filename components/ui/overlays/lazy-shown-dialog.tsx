import type { ComponentType } from 'react';
import { lazyComponent } from '../rendering/lazy-component.ts';
import { useDeferredOpening } from './use-deferred-opening.ts';

/**
 * Loads a dialog after the page, and renders it while there is a `shownDialog`, which says what the
 * dialog is about.
 *
 * @param load imports the dialog
 * @param keyOf the React key of a shown dialog: with another key, it is remounted
 */
export function lazyShownDialog<Shown extends object, Props extends object>(
  load: () => Promise<ComponentType<Props & { shownDialog: Shown }>>,
  keyOf: (shownDialog: Shown) => string,
) {
  type ShownProps = Props & { shownDialog: Shown | null };
  const Loaded = lazyComponent<ShownProps>(async () => {
    const Dialog = await load();
    return function OpenedDialog(props) {
      const { shownDialog } = props;
      const isOpen = useDeferredOpening(shownDialog !== null);
      return (
        isOpen &&
        shownDialog && <Dialog key={keyOf(shownDialog)} {...props} shownDialog={shownDialog} />
      );
    };
  });
  return (props: ShownProps) => <Loaded {...props} shouldLoad={props.shownDialog !== null} />;
}

/** Loads a dialog after the page, and renders it while `isOpen`. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazyComponent<Props & { isOpen: boolean }>(async () => {
    const Dialog = await load();
    return (props) => props.isOpen && <Dialog {...props} />;
  });
  return (props: Props & { isOpen: boolean }) => <Loaded {...props} shouldLoad={props.isOpen} />;
}
