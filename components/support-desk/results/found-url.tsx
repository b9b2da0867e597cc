import { Highlighted } from './highlighted.tsx';
import { splitAtMatch } from './split-at-match.ts';

/** The URL of a webhook on one line, on which what was searched for stays visible. */
export function FoundUrl({ url, search }: { url: string; search: string }) {
  const { head, tail } = splitAtMatch(url, search);
  return (
    <span title={url} className="flex min-w-0">
      <span className="truncate">
        <Highlighted text={head} search={search} />
      </span>
      {tail !== '' && (
        <span className="max-w-2/3 shrink-0 truncate">
          <Highlighted text={tail} search={search} />
        </span>
      )}
    </span>
  );
}
