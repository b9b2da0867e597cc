import type { ReactNode, MouseEvent } from 'react';
import { FailedReadsNotice } from '../retry/failed-reads-notice.tsx';
import { FailedReadsProvider } from '../retry/failed-reads.tsx';

type FrameLayoutProps = {
  /** On wide screens. */
  sidebar: ReactNode;
  /** On narrow screens. */
  bar: ReactNode;
  /** What stands above the page. */
  banner?: ReactNode;
  children: ReactNode;
};

/** Lays out the sidebar (on narrow screens the bar), and next to it the notices and the page. */
export function FrameLayout({ sidebar, bar, banner, children }: FrameLayoutProps) {
  return (
    <div className="min-h-dvh min-[60rem]:grid min-[60rem]:grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)] print:block!">
      <SkipLink />
      {bar}
      <aside className="sticky top-0 h-dvh border-r border-line bg-sunken max-[60rem]:hidden print:hidden">
        {sidebar}
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className="@container mx-auto w-full max-w-[calc(var(--spacing-column)+2*var(--gutter))] min-w-0 px-gutter pt-9 pb-16 outline-none max-sm:pt-5 max-sm:pb-12"
      >
        {banner}
        <FailedReadsProvider>
          <FailedReadsNotice />
          {children}
        </FailedReadsProvider>
      </main>
    </div>
  );
}

/** The "Skip to content" link: the first Tab stop, visible only when it has the focus. */
function SkipLink() {
  return (
    <a
      href="#main"
      onClick={skip}
      className="fixed top-3 left-3 z-(--z-notice) -translate-y-24 rounded-3 bg-overlay px-3 py-2 font-medium text-ink no-underline shadow-menu focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  );
}

/** Keeps `#main` out of the URL: Back to such an entry would move the focus again. */
function skip(event: MouseEvent) {
  const main = document.getElementById('main');
  if (main === null) return;
  event.preventDefault();
  main.focus();
}
