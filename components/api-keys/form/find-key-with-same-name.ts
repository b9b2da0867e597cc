import { apiKeyState } from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { ApiKeyDraft } from './api-key-draft.ts';

/** For each draft that was sent, as JSON: the uuids of the keys that existed before. */
export type SentDrafts = ReadonlyMap<string, ReadonlySet<string>>;

/** Records that a draft is sent. Sent again, it changes nothing: its response may be lost. */
export function addSentDraft(
  sent: SentDrafts,
  draft: ApiKeyDraft,
  apiKeys: readonly ApiKey[],
): SentDrafts {
  const values = JSON.stringify(draft);
  if (sent.has(values)) return sent;
  return new Map(sent).set(values, new Set(apiKeys.map(({ uuid }) => uuid)));
}

/**
 * The key that is active at `now` and already has the name of a draft; null if there is none. Upper
 * and lower case count as the same.
 *
 * If a draft is sent again, it has the same idempotency key. So a key that appeared since the first
 * request is not a duplicate: the draft created it.
 */
export function findKeyWithSameName(
  apiKeys: readonly ApiKey[],
  { draft, sent, now }: { draft: ApiKeyDraft; sent: SentDrafts; now: Date },
): ApiKey | null {
  const name = comparable(draft.name);
  const existing = sent.get(JSON.stringify(draft));
  const namesake = apiKeys.find((apiKey) => {
    const state = apiKeyState(apiKey, now);
    return (
      comparable(apiKey.name) === name &&
      state !== 'revoked' &&
      state !== 'expired' &&
      (existing?.has(apiKey.uuid) ?? true)
    );
  });
  return namesake ?? null;
}

/** As the service stores names, but in lower case. */
function comparable(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
