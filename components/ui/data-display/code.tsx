import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

type CodeProps = { children: ReactNode; isSmall?: boolean; className?: string };

/** An id, an address or another text of a program within a line. Translators leave it as it is. */
export function Code({ children, isSmall = false, className }: CodeProps) {
  return (
    <span translate="no" className={cn(isSmall ? 'code-micro' : 'code', className)}>
      {children}
    </span>
  );
}
