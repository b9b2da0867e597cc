// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { ChapterLink } from './chapter-link.tsx';

export type PageHeadingProps = {
  title: ReactNode;
  sentence?: ReactNode;
  /** The parent page. */
  crumb?: { href: string; label: string };
  /** One primary button and at most one secondary button. */
  actions?: ReactNode;
};

/**
 * A page's title, description and actions, with a link to its chapter of the documentation. On a
 * phone the actions of a list are on the title's line; those of one thing come after its name,
 * state and address.
 */
export function PageHeading({ title, sentence, crumb, actions }: PageHeadingProps) {
  return (
    <div className={cn('mb-6', crumb === undefined && 'max-sm:mb-4')}>
      {crumb && (
        <div className="-mt-2 mb-2 -ml-1 flex items-center justify-between gap-4 text-small max-sm:mb-0">
          <PageLink
            href={crumb.href}
            className="inline-flex h-6 min-w-0 items-center gap-1 rounded-2 px-1 text-ink-3 no-underline hover:text-ink data-pressed:text-ink max-sm:h-11 pointer-coarse:h-11"
          >
            <ChevronLeft aria-hidden className="icon-14" />
            {crumb.label}
          </PageLink>
          <ChapterLink />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start sm:gap-x-6 sm:gap-y-1">
        <h1
          // A navigation can move the focus here.
          tabIndex={-1}
          className="min-w-0 flex-1 basis-20 text-title text-balance wrap-anywhere outline-none"
        >
          {title}
        </h1>
        {sentence !== undefined && (
          <p
            className={cn(
              'max-w-[62ch] min-w-0 basis-full text-pretty text-ink-2 sm:col-start-1',
              crumb === undefined && 'max-sm:order-last',
            )}
          >
            {sentence} {crumb === undefined && <ChapterLink />}
          </p>
        )}
        {actions !== undefined && (
          <div
            className={cn(
              'flex gap-2 max-sm:flex-wrap sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:pt-0.5 print:hidden',
              // The last is a menu, as wide as its icon.
              crumb !== undefined &&
                'max-sm:mt-2 max-sm:basis-full max-sm:[&>:not(:last-child)]:flex-1',
            )}
          >
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}
