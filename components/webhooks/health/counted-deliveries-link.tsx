'use client';

import type { ComponentProps } from 'react';

import { type LinkedDeliveries, useDeliveriesLink } from '../deliveries/use-deliveries-link.ts';

type CountedDeliveriesLinkProps = Omit<ComponentProps<'a'>, 'href'> & { counted: LinkedDeliveries };

/** A link to the deliveries that a number counts, in the table below. */
export function CountedDeliveriesLink({
  counted,
  onClick,
  children,
  ...rest
}: CountedDeliveriesLinkProps) {
  const link = useDeliveriesLink(counted);
  return (
    <a
      {...rest}
      href={link.href}
      onClick={(event) => {
        onClick?.(event);
        link.onClick(event);
      }}
    >
      {children}
    </a>
  );
}
