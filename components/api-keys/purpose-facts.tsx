import type { Fact } from '#components/ui/data-display/facts.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { formatResponsible } from './format-responsible.ts';

/** A key's description, tags and responsible person, for its page and for dialogs about it. */
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
