import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { keyDetailLimits as limits } from '#lib/contract/api-keys/key-detail-limits.ts';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';

/** A key's description, tags, responsible person and own rate limit, all as text. */
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

/** The errors in the details that the form can find without the service, which checks more. */
export function findDetailsErrors(draft: DetailsDraft): FieldErrors<keyof DetailsDraft> {
  const { description, tags, rate_limit_per_minute: limit } = detailsOf(draft);
  const errors: FieldErrors<keyof DetailsDraft> = {};
  if (lengthOf(description ?? '') > limits.descriptionLength)
    errors.description = `Use at most ${limits.descriptionLength} characters.`;
  if (tags.some((tag) => lengthOf(tag) > limits.tagLength))
    errors.tags = `Use at most ${limits.tagLength} characters per tag.`;
  else if (tags.length > limits.tags) errors.tags = `Use at most ${limits.tags} tags.`;
  else if (new Set(tags).size < tags.length) errors.tags = 'Use each tag only once.';
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1))
    errors.rate_limit_per_minute = 'Use a whole number of at least 1, or leave it empty.';
  return errors;
}

/** In code points of the composed form, as the service counts. */
function lengthOf(text: string): number {
  return [...text.normalize('NFC')].length;
}

export function givenDetails(draft: DetailsDraft): Partial<Details> {
  return differences(detailsOf(draft), detailsOf(emptyDetails));
}

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
