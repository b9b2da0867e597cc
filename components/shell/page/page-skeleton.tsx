import type { ReactNode } from 'react';

import { Skeleton } from '#components/ui/data-display/table.tsx';

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
        sentence={sentence.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      />
      <div className="grid gap-10 max-sm:gap-8">{children}</div>
    </div>
  );
}

type BoxSkeletonProps = { title: string; widths: readonly [number, number] };

/** A section that is a box with two lines. */
export function BoxSkeleton({ title, widths: [first, second] }: BoxSkeletonProps) {
  return (
    <Section title={title}>
      <div className="rounded-3 border border-line-strong px-4 py-3.5">
        <Skeleton width={first} />
        <Skeleton width={second} isSecond />
      </div>
    </Section>
  );
}

/** Two sections side by side. */
export function ColumnsSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[740px]:grid-cols-2">
      {children}
    </div>
  );
}

type LinesSkeletonProps = { title: string; widths: readonly number[] };

/** A section with a line for each width. */
export function LinesSkeleton({ title, widths }: LinesSkeletonProps) {
  return (
    <Section title={title}>
      <div>
        {widths.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </Section>
  );
}
