import type { ReactNode } from 'react';
import { PageTitle } from '../page/page-title.tsx';
import { Brand } from './brand.tsx';

type AuthLayoutProps = {
  /** The page's one h1. */
  title: string;
  sentence?: ReactNode;
  /** The position in a set-up of several pages. */
  step?: { current: number; of: number };
  host: string;
  version: string;
  children: ReactNode;
};

/** The layout of pages before sign-in: the form, and on wide screens a picture next to it. */
export function AuthLayout({ title, sentence, step, host, version, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] min-[64rem]:grid-cols-[minmax(30rem,1fr)_minmax(0,1.1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] gap-10 px-7 py-6 max-sm:gap-8 max-sm:p-4">
        <header>
          <Brand />
        </header>
        <main id="main" className="w-full max-w-95 self-center justify-self-center">
          <PageTitle>{title}</PageTitle>
          {step && <Steps {...step} />}
          <h1
            // A navigation can move the focus here.
            tabIndex={-1}
            className="text-title text-balance outline-none"
          >
            {title}
          </h1>
          {sentence !== undefined && <p className="mt-1 text-pretty text-ink-2">{sentence}</p>}
          <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
        </main>
        <footer className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-micro text-ink-3">
          <span className="wrap-anywhere">{host}</span>
          <span>Version {version}</span>
        </footer>
      </div>
      <Picture />
    </div>
  );
}

function Steps({ current, of }: { current: number; of: number }) {
  return (
    <div className="mb-1.5">
      <div aria-hidden className="flex gap-1.5">
        {Array.from({ length: of }, (_, index) => (
          <span
            key={index}
            data-mark
            className={`h-[3px] flex-1 rounded-full ${index < current ? 'bg-accent' : 'bg-fill-track'}`}
          />
        ))}
      </div>
      <p className="mt-2.5 text-micro text-ink-3">
        Step {current} of {of}
      </p>
    </div>
  );
}

/** A decorative picture of a conversation, hidden on paper and on small screens. */
function Picture() {
  return (
    <div
      aria-hidden
      className="relative overflow-hidden border-l border-line bg-sunken max-[64rem]:hidden print:hidden"
    >
      <svg
        viewBox="0 0 640 720"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full mask-y-from-55% mask-y-to-95%"
      >
        {bars.map(([x, y, width, look]) => (
          <rect key={y} x={x} y={y} width={width} height={32} rx={16} className={looks[look]} />
        ))}
      </svg>
    </div>
  );
}

const looks = { theirs: 'fill-fill-track', ours: 'fill-accent/20', now: 'fill-accent' };

type Bar = readonly [x: number, y: number, width: number, look: keyof typeof looks];

// Received messages are at the left and sent ones at the right, as in messaging apps.
const bars: readonly Bar[] = [
  [160, 24, 176, 'theirs'],
  [160, 64, 108, 'theirs'],
  [316, 124, 164, 'ours'],
  [160, 184, 212, 'theirs'],
  [160, 224, 84, 'theirs'],
  [372, 284, 108, 'ours'],
  [264, 324, 216, 'now'],
  [160, 384, 132, 'theirs'],
  [160, 424, 188, 'theirs'],
  [332, 484, 148, 'ours'],
  [160, 544, 96, 'theirs'],
  [284, 604, 196, 'ours'],
  [400, 644, 80, 'ours'],
];
