import { Component, createContext, type ReactNode, use, useState } from 'react';

type ShowPersistently = (shown: ReactNode) => void;

const ShowPersistentlyContext = createContext<ShowPersistently>(() => undefined);

/** Shows one thing on top of all pages. It stays when the page that showed it is left. */
export function PersistentOverlay({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ReactNode>(null);
  return (
    <ShowPersistentlyContext value={setShown}>
      {children}
      <Remounted>{shown}</Remounted>
    </ShowPersistentlyContext>
  );
}

/** Returns a function that shows this in place of what was shown before; `null` ends it. */
export function useShowPersistently(): ShowPersistently {
  return use(ShowPersistentlyContext);
}

/** If its children fail, React mounts them again from the beginning. */
class Remounted extends Component<{ children: ReactNode }> {
  static getDerivedStateFromError() {
    return {};
  }

  override state = {};

  override render() {
    return this.props.children;
  }
}
