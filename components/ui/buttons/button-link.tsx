'use client';

import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { PageLink, type PageLinkProps, useIsPressed } from '../navigation/page-link.tsx';
import { buttonClass, type ButtonLook } from './button-class.ts';

type ButtonLinkProps = PageLinkProps & ButtonLook & { icon?: ReactNode };

/** A link that looks like a button. Once it is pressed, a spinner replaces the icon. */
export function ButtonLink({
  icon,
  href,
  variant,
  size,
  block,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <PageLink
      {...rest}
      href={href}
      className={cn(buttonClass({ variant, size, block }), className)}
    >
      {useIsPressed(href) ? <Spinner /> : icon}
      <span className="flex min-w-0 items-center gap-1.5">{children}</span>
    </PageLink>
  );
}
