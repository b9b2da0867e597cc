'use client';

import { Component, createContext, type ReactNode, use, useState } from 'react';

type ShowApart = (shown: ReactNode) => void;

const ShowApartContext = createContext<ShowApart>(() => undefined);

/** Shows one thing beside all pages. It stays when the page that showed it fails or is left. */
export function ShownApart({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ReactNode>(null);
  return (
    <ShowApartContext value={setShown}>
      {children}
      <Remounted>{shown}</Remounted>
    </ShowApartContext>
  );
}

/** Returns a function that shows this in place of what was shown before; `null` ends it. */
export function useShowApart(): ShowApart {
  return use(ShowApartContext);
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
