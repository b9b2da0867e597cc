import type { Menu } from '@base-ui/react/menu';
import { createContext, useContext } from 'react';

/** What the items of an open menu are made of: it comes with the popup, not with the page. */
export const MenuParts = createContext<typeof Menu | null>(null);

export function useMenuParts(): typeof Menu {
  const parts = useContext(MenuParts);
  if (parts === null) throw new Error('A menu item stands outside of a menu.');
  return parts;
}
