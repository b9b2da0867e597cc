import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';

/**
 * The form's values for a key's description, tags, responsible person and own rate limit, all as
 * text.
 */
export type DetailsDraft = {
  description: string;
  tags: string;
  /** Empty for nobody. */
  responsible_id: string;
  rate_limit_per_minute: string;
};

type Details = Required<
  Pick<UpdateApiKeyInput, 'description' | 'tags' | 'responsible_id' | 'rate_limit_per_minute'>
>;

export const emptyDetails: DetailsDraft = {
  description: '',
  tags: '',
  responsible_id: '',
  rate_limit_per_minute: '',
};

export function draftDetails(apiKey: ApiKey): DetailsDraft {
  return {
    description: apiKey.description ?? '',
    tags: apiKey.tags.join(', '),
    responsible_id: apiKey.responsible?.id ?? '',
    rate_limit_per_minute: apiKey.rate_limit_per_minute?.toString() ?? '',
  };
}

/** The details as the API takes them. Tags are as it stores them, so that they can be compared. */
function detailsOf(draft: DetailsDraft) {
  const limit = draft.rate_limit_per_minute.trim();
  return {
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    tags: draft.tags
      .split(',')
      .map((tag) => tag.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase())
      .filter((tag) => tag !== ''),
    responsible_id: draft.responsible_id === '' ? null : draft.responsible_id,
    rate_limit_per_minute: limit === '' ? null : Number(limit),
  } satisfies Details;
}

/** The error in the limit that the form can find; undefined if there is none. */
export function findRateLimitError(draft: DetailsDraft): string | undefined {
  const { rate_limit_per_minute: limit } = detailsOf(draft);
  if (limit === null || (Number.isInteger(limit) && limit >= 1)) return undefined;
  return 'Use a whole number of at least 1, or leave it empty.';
}

/** The details that the draft gives a new key. */
export function givenDetails(draft: DetailsDraft): Partial<Details> {
  return differences(detailsOf(draft), detailsOf(emptyDetails));
}

/** The details that the draft changes. */
export function changedDetails(draft: DetailsDraft, before: ApiKey): Partial<Details> {
  return differences(detailsOf(draft), detailsOf(draftDetails(before)));
}

function differences(
  after: ReturnType<typeof detailsOf>,
  before: ReturnType<typeof detailsOf>,
): Partial<Details> {
  const { description, tags, responsible_id: responsible, rate_limit_per_minute: limit } = after;
  return {
    ...(description !== before.description && { description }),
    ...(tags.join() !== before.tags.join() && { tags }),
    ...(responsible !== before.responsible_id && { responsible_id: responsible }),
    ...(limit !== before.rate_limit_per_minute && { rate_limit_per_minute: limit }),
  };
}
