import { Fragment } from 'react';
import { splitSearch } from '#lib/contract/support-desk/split-search.ts';

export function Highlighted({ text, search }: { text: string; search: string }) {
  const { words } = splitSearch(search);
  if (words.length === 0) return text;
  const isWord = new RegExp(`(${words.map(escapeForRegExp).join('|')})`, 'i');
  return text.split(isWord).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <mark key={index} className="rounded-1 bg-accent-soft text-inherit">
        {part}
      </mark>
    ),
  );
}

/** As `RegExp.escape` does, which older browsers lack. */
function escapeForRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
