import type { Fact } from '#components/ui/data-display/facts.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { formatResponsible } from './format-responsible.ts';

/** What people wrote about a key, and whom to ask, for its page and wherever somebody decides about it. */
export function purposeFacts({ description, tags, responsible }: ApiKey): Fact[] {
  return [
    ...(description === null
      ? []
      : [
          {
            label: 'Description',
            value: <span className="whitespace-pre-line">{description}</span>,
          },
        ]),
    ...(tags.length === 0 ? [] : [{ label: 'Tags', value: <Tags tags={tags} /> }]),
    ...(responsible === null
      ? []
      : [{ label: 'Responsible', value: formatResponsible(responsible) }]),
  ];
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full">
          <Tag mono={false}>{tag}</Tag>
        </li>
      ))}
    </ul>
  );
}
