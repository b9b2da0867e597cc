import { Fragment } from 'react';

import { splitAddress } from './split-address.ts';

type AddressProps = { url: string; hasScheme?: boolean };

/**
 * A URL on one line. If there is too little space, its middle is left out and its end stays
 * visible.
 */
export function Address({ url, hasScheme = false }: AddressProps) {
  const { head, tail } = splitAddress(hasScheme ? url : withoutScheme(url));
  return (
    <span title={url} className="flex min-w-0">
      <span className="truncate">{head}</span>
      <span className="shrink-0">{tail}</span>
    </span>
  );
}

/** A whole URL, with line breaks after its parts. */
export function WholeAddress({ url }: { url: string }) {
  return (
    <span className="code leading-5">
      {url.split(/(?<=[^:/]\/|[?&])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '');
}
