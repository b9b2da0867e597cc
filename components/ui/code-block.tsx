'use client';

import { Fragment, type ReactNode } from 'react';

import { cn } from '#lib/cn.ts';

import { CopyButton } from './copy-button.tsx';

export type CodeBlockProps = {
  /** Says what it is: "Try it once you have a token". Also names the scrolling region. */
  title: string;
  code: string;
  /** What the button copies, where it is not what is shown. */
  copied?: string;
  copyLabel?: string;
  /** In the head instead of the title's words: tabs. */
  head?: ReactNode;
  className?: string;
};

/** Strings in petrol, nothing else coloured. The one thing that may scroll sideways, inside itself. */
export function CodeBlock({
  title,
  code,
  copied = code,
  copyLabel = 'Copy command',
  head,
  className,
}: CodeBlockProps) {
  return (
    <div className={cn('rounded-3 border border-line bg-sunken', className)}>
      <div className="flex min-h-9 items-center justify-between gap-2 border-b border-line pr-1 pl-3.5 text-micro text-ink-3">
        {head ?? <span>{title}</span>}
        <CopyButton text={copied} label={copyLabel} />
      </div>
      <pre
        // Keys scroll it as well.
        tabIndex={0}
        role="region"
        aria-label={title}
        className="overflow-x-auto rounded-b-3 px-3.5 py-3 text-code text-ink focus-visible:-outline-offset-2"
      >
        <code>{tint(code)}</code>
      </pre>
    </div>
  );
}

const STRINGS = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/;

function tint(code: string): ReactNode {
  return code.split(STRINGS).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="text-accent-ink">
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
