import type { Menu } from '@base-ui/react/menu';
import { createContext, useContext } from 'react';

/** The library's components for items of an open menu, loaded with the popup. */
export const MenuParts = createContext<typeof Menu | null>(null);

export function useMenuParts(): typeof Menu {
  const parts = useContext(MenuParts);
  if (parts === null) throw new Error('A menu item stands outside of a menu.');
  return parts;
}
