// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { PageHeading, type PageHeadingProps } from './page-heading.tsx';
import { Section } from './section.tsx';

type PageSkeletonProps = Required<Pick<PageHeadingProps, 'crumb'>> & {
  title: string;
  /** The widths in pixels of the two lines below the title. */
  sentence: readonly [number, number];
  /** Sections as below. */
  children: ReactNode;
};

/** The page of one thing while its data is loading. */
export function PageSkeleton({ crumb, title, sentence, children }: PageSkeletonProps) {
  return (
    <div aria-busy>
      <PageHeading
        crumb={crumb}
        title={title}
        sentence={
          <span className="grid grid-cols-1 gap-1.5">
            {sentence.map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </span>
        }
        actions={
          <>
            <ControlSkeleton width={116} />
            <ControlSkeleton width={100} />
            <ControlSkeleton width={32} />
          </>
        }
      />
      <div className="grid gap-10 max-sm:gap-8">{children}</div>
    </div>
  );
}

/** Shown in place of a button or field. */
export function ControlSkeleton({ width }: { width?: number }) {
  return (
    <span
      aria-hidden
      className="block h-control animate-reveal rounded-3 border border-line-strong max-sm:h-11 max-sm:min-w-11"
      style={width === undefined ? undefined : { width: `${width / 16}rem` }}
    />
  );
}

type LinesProps = { title: string; widths: readonly number[] };

/** A section that is a box with a line for each width. */
export function BoxSkeleton({ title, widths }: LinesProps) {
  return (
    <Section title={title}>
      <div className="grid grid-cols-1 rounded-3 border border-line-strong px-4 py-3.5">
        {widths.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </Section>
  );
}

/** Two sections side by side. */
export function ColumnsSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[46.25rem]:grid-cols-2">
      {children}
    </div>
  );
}

/** A section with a line for each width. */
export function LinesSkeleton({ title, widths }: LinesProps) {
  return (
    <Section title={title}>
      <div className="grid grid-cols-1 gap-2.5">
        {widths.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </Section>
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
