'use client';

import type { MouseEvent } from 'react';

/** The "Skip to content" link: the first Tab stop, visible only when it has the focus. */
export function SkipLink() {
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
