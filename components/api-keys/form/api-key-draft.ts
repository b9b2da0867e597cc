import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { nameError } from '#components/shell/form/text-errors.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { CreateApiKeyInput, UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { type KeyType, scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import { allScopes, effectiveScopes, type Scope } from '#lib/contract/api-keys/scopes.ts';
import { formatApiTime } from '#lib/time.ts';

import { type Expiry, expiresAt } from './fields/expiry.ts';
import {
  changedDetails,
  type DetailsDraft,
  draftDetails,
  emptyDetails,
  findDetailsErrors,
  givenDetails,
} from './key-details.ts';
import { parseNetwork } from './fields/network.ts';
import type { NetworkEntry } from './fields/network-fields.tsx';

/** The values of the key form, named as the fields of the API. */
export type ApiKeyDraft = DetailsDraft & {
  name: string;
  type: KeyType;
  /**
   * The ticked scopes for each type, so that they reappear when the type is changed back, and no
   * type gets a scope that was ticked for another.
   */
  scopes: Readonly<Record<KeyType, readonly Scope[]>>;
  /** A full key has every scope, including future ones, regardless of the selection. */
  hasAllScopes: boolean;
  expires_at: Expiry;
  allowed_cidrs: readonly NetworkEntry[];
  /** Always false for a new key. */
  may_rotate_itself: boolean;
};

export const emptyDraft: ApiKeyDraft = {
  name: '',
  type: 'limited',
  // As in the API, a webhook or bot key has all scopes of its type unless the person chooses others.
  scopes: { full: [], limited: [], webhook: scopesOfType('webhook'), bot: scopesOfType('bot') },
  hasAllScopes: true,
  expires_at: { choice: 'never', date: '', kept: null },
  allowed_cidrs: [],
  may_rotate_itself: false,
  ...emptyDetails,
};

/** The form's values for an existing key. */
export function draftFromApiKey(apiKey: ApiKey): ApiKeyDraft {
  return {
    name: apiKey.name,
    type: apiKey.type,
    scopes: { ...emptyDraft.scopes, [apiKey.type]: apiKey.scopes },
    hasAllScopes: apiKey.scopes.length === allScopes.length,
    expires_at: { choice: unchangedChoice(apiKey), date: '', kept: apiKey.expires_at },
    allowed_cidrs: apiKey.allowed_cidrs.map((text, index) => ({ id: index + 1, text })),
    may_rotate_itself: apiKey.may_rotate_itself,
    ...draftDetails(apiKey),
  };
}

export function draftScopes({ type, scopes, hasAllScopes }: ApiKeyDraft): Scope[] {
  if (type === 'full' && hasAllScopes) return scopesOfType('full');
  return scopesOfType(type).filter((scope) => scopes[type].includes(scope));
}

/** The errors that the form can find without the service. */
export function validateDraft(draft: ApiKeyDraft, now: Date): FieldErrors<keyof ApiKeyDraft> {
  const errors: FieldErrors<keyof ApiKeyDraft> = {};
  const name = nameError(draft.name, 'Enter a name of 1 to 100 characters.');
  if (name !== null) errors.name = name;
  if (draftScopes(draft).length === 0) errors.scopes = 'Select at least one scope.';
  if (expiresAt(draft.expires_at, now) === undefined)
    errors.expires_at = 'Choose a date and time in the future.';
  return { ...errors, ...findDetailsErrors(draft) };
}

/** How many fields of networks show that they are invalid. */
export function countInvalidNetworks({ allowed_cidrs: networks }: ApiKeyDraft): number {
  return networks.filter(({ text }) => parseNetwork(text).kind === 'invalid').length;
}

/** The request to create the key. Only for a draft without errors. */
export function toCreateInput(draft: ApiKeyDraft, now: Date): CreateApiKeyInput {
  const end = expiresAt(draft.expires_at, now);
  const cidrs = draftCidrs(draft);
  return {
    name: draft.name,
    type: draft.type,
    // Without `scopes`, a full key also gets future scopes.
    ...(draft.type === 'full' ? {} : { scopes: draftScopes(draft) }),
    ...(end ? { expires_at: formatApiTime(end) } : {}),
    ...(cidrs.length > 0 ? { allowed_cidrs: cidrs } : {}),
    ...givenDetails(draft),
  };
}

/** The update with what an error-free draft changes; empty if it changes nothing. */
export function toUpdateInput(draft: ApiKeyDraft, apiKey: ApiKey, now: Date): UpdateApiKeyInput {
  const scopes = draftScopes(draft);
  const end = expiresAt(draft.expires_at, now);
  const cidrs = draftCidrs(draft);
  const includesFutureScopes = draft.type === 'full' && draft.hasAllScopes;
  const hasOtherScopes =
    !isSame(effectiveScopes(scopes), apiKey.scopes) ||
    // The scopes are the same, but future ones are added or left out from now on.
    (draft.type === 'full' && draft.hasAllScopes !== draftFromApiKey(apiKey).hasAllScopes);
  return {
    ...(draft.name.trim() !== apiKey.name && { name: draft.name }),
    ...(hasOtherScopes && { scopes: includesFutureScopes ? null : scopes }),
    ...(draft.expires_at.choice !== unchangedChoice(apiKey) &&
      end !== undefined && { expires_at: end && formatApiTime(end) }),
    ...(!isSame(cidrs, apiKey.allowed_cidrs) && { allowed_cidrs: cidrs }),
    ...(draft.may_rotate_itself !== apiKey.may_rotate_itself && {
      may_rotate_itself: draft.may_rotate_itself,
    }),
    ...changedDetails(draft, apiKey),
  };
}

function unchangedChoice(apiKey: Pick<ApiKey, 'expires_at'>): Expiry['choice'] {
  return apiKey.expires_at === null ? 'never' : 'kept';
}

function draftCidrs({ allowed_cidrs: networks }: ApiKeyDraft): string[] {
  return networks.map(({ text }) => text.trim()).filter((text) => text !== '');
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
