/** For the popups of menus and selects: surface, and how they open and close. */
export const popupClass =
  'rounded-4 bg-overlay shadow-menu outline-none origin-(--transform-origin) transition-[opacity,scale] duration-(--base) data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0';
