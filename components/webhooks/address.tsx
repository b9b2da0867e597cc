import { Fragment } from 'react';

import { splitAddress } from './split-address.ts';

type AddressProps = { url: string; hasScheme?: boolean };

/** An address on one line: where room is short the middle goes, never the end. */
export function Address({ url, hasScheme = false }: AddressProps) {
  const { head, tail } = splitAddress(hasScheme ? url : withoutScheme(url));
  return (
    <span title={url} className="flex min-w-0">
      <span className="truncate">{head}</span>
      <span className="shrink-0">{tail}</span>
    </span>
  );
}

/** All of it, broken after its parts where one line does not hold it. */
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
