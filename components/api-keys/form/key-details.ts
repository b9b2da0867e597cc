import type { ApiKey } from '#lib/contract/api-keys/api-keys.ts';

/** What the form holds of a key's description, tags and own rate limit: all of it as text. */
export type DetailsDraft = { description: string; tags: string; rate_limit_per_minute: string };

type Details = Pick<ApiKey, 'description' | 'tags' | 'rate_limit_per_minute'>;

export const emptyDetails: DetailsDraft = { description: '', tags: '', rate_limit_per_minute: '' };

export function draftDetails(details: Details): DetailsDraft {
  return {
    description: details.description ?? '',
    tags: details.tags.join(', '),
    rate_limit_per_minute: details.rate_limit_per_minute?.toString() ?? '',
  };
}

/** The details as the API takes them. Tags are as it stores them, so that they can be compared. */
function detailsOf(draft: DetailsDraft): Details {
  const limit = draft.rate_limit_per_minute.trim();
  return {
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    tags: draft.tags
      .split(',')
      .map((tag) => tag.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase())
      .filter((tag) => tag !== ''),
    rate_limit_per_minute: limit === '' ? null : Number(limit),
  };
}

/** What is wrong with the limit; undefined if nothing is that the form can see. */
export function findRateLimitError(draft: DetailsDraft): string | undefined {
  const { rate_limit_per_minute: limit } = detailsOf(draft);
  if (limit === null || (Number.isInteger(limit) && limit >= 1)) return undefined;
  return 'Use a whole number of at least 1, or leave it empty.';
}

/** The details that the draft gives a new key. */
export function givenDetails(draft: DetailsDraft): Partial<Details> {
  return changedDetails(draft, { description: null, tags: [], rate_limit_per_minute: null });
}

/** The details that the draft changes. */
export function changedDetails(draft: DetailsDraft, before: Details): Partial<Details> {
  const { description, tags, rate_limit_per_minute: limit } = detailsOf(draft);
  return {
    ...(description !== before.description && { description }),
    ...(tags.join() !== before.tags.join() && { tags }),
    ...(limit !== before.rate_limit_per_minute && { rate_limit_per_minute: limit }),
  };
}
