import { Fragment } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { splitUrl } from './split-url.ts';

type UrlLineProps = { url: string; hasScheme?: boolean };

/** A URL on one line. If there is too little space, its middle is left out. */
export function UrlLine({ url, hasScheme = false }: UrlLineProps) {
  const { head, tail } = splitUrl(hasScheme ? url : withoutScheme(url));
  return (
    <span title={url} translate="no" className="flex min-w-0">
      <span className="truncate">{head}</span>
      <span className="shrink-0">{tail}</span>
    </span>
  );
}

/** A whole URL, with line breaks after its parts. */
export function WholeUrl({ url }: { url: string }) {
  return (
    <Code className="leading-5">
      {url.split(/(?<=[^:/]\/|[?&])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </Code>
  );
}

function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '');
}
