import { useEffect } from 'react';

/** Gives the document another title while it stays at its address; null: its own. */
export function useTemporaryTitle(title: string | null): void {
  useEffect(() => {
    const element = document.querySelector('title');
    if (title === null || element === null) return;
    const { href } = window.location;
    const ownTitle = element.textContent;
    element.textContent = title;

    function restore() {
      if (element?.textContent === title) element.textContent = ownTitle;
    }
    // In the browser's history, the page that is left keeps its own title.
    const navigation = navigationOf(window);
    navigation?.addEventListener('navigate', restore);
    return () => {
      navigation?.removeEventListener('navigate', restore);
      // At another address the title is the next page's.
      if (window.location.href === href) restore();
    };
  }, [title]);
}

/** Undefined in browsers from before 2026. */
function navigationOf(view: { navigation?: Navigation }): Navigation | undefined {
  return view.navigation;
}
