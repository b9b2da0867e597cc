import type { ReactNode } from 'react';

type DrawerPartProps = { title?: string; children: ReactNode };

/** A section of a drawer, divided from the others by a line. */
export function DrawerPart({ title, children }: DrawerPartProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 px-6 py-5 not-first-of-type:border-t not-first-of-type:border-line max-sm:px-4 max-sm:py-4">
      {title !== undefined && <h3 className="font-medium">{title}</h3>}
      {children}
    </section>
  );
}
