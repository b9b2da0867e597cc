import { Fragment, type ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { CopyButton } from '../overlays/copy-button.tsx';

type CodeBlockProps = {
  /** The title, also the accessible name of the scrolling region. */
  title: string;
  code: string;
  /** What the button copies, if it differs from what is shown. */
  copied?: string;
  copyLabel?: string;
  /** Replaces the title in the header, such as tabs. */
  head?: ReactNode;
  className?: string;
};

/** A block of code with a copy button. Strings are colored; long lines scroll sideways. */
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
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-2 border-b border-line pr-1 pl-3.5 text-micro text-ink-3">
        {head ?? <span>{title}</span>}
        <CopyButton text={copied} label={copyLabel} className="print:hidden" />
      </div>
      <pre
        // Focusable, so that arrow keys can scroll it.
        tabIndex={0}
        role="region"
        aria-label={title}
        className="overflow-x-auto rounded-b-3 px-3.5 py-3 text-code text-ink focus-visible:-outline-offset-2 print:wrap-anywhere print:whitespace-pre-wrap"
      >
        <code translate="no">{highlightStrings(code)}</code>
      </pre>
    </div>
  );
}

const strings = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/;

function highlightStrings(code: string): ReactNode {
  return code.split(strings).map((part, index) =>
    index % 2 === 1 ? (
      // Isolated, because words of customers can run from right to left.
      <bdi key={index} className="text-accent-ink">
        {part}
      </bdi>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
