import type { ReactNode } from 'react';

import { Skeleton } from '../data-display/skeleton.tsx';

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

/** The first section while what the drawer shows is loading. */
export function DrawerSkeleton() {
  return (
    <DrawerPart>
      <div aria-hidden className="grid grid-cols-1 gap-3">
        <Skeleton width={320} />
        <Skeleton width={200} />
        <Skeleton width={240} />
      </div>
    </DrawerPart>
  );
}
