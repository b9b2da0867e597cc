import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { type ApiKeyStatusFilter, matchesStatus } from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import {
  type EndedApiKeyStatus,
  endedApiKeysListed,
} from '#lib/contract/api-keys/ended-api-keys.ts';
import { countOf } from '#lib/count.ts';
import type { OlderApiKeys } from './use-older-api-keys.ts';

type LoadOlderApiKeysProps = {
  /** By what the list is filtered. */
  status: ApiKeyStatusFilter | 'any';
  older: Record<EndedApiKeyStatus, OlderApiKeys>;
  loaded: readonly ApiKey[];
  now: Date;
};

/** Below a list that may be incomplete: loads older revoked or expired keys, or explains how. */
export function LoadOlderApiKeys({ status, older, loaded, now }: LoadOlderApiKeysProps) {
  if (status === 'any') {
    return (
      <p className="mt-3 text-small text-ink-3">
        Only the {endedApiKeysListed} most recently revoked or expired keys are listed. To load
        older ones, choose the status Revoked or Expired.
      </p>
    );
  }
  if (status !== 'revoked' && status !== 'expired') return null;
  const count = loaded.filter((apiKey) => matchesStatus(apiKey, status, { now })).length;
  return (
    <LoadOlder
      older={{ ...older[status], load: () => void older[status].loadMore(loaded) }}
      what="The older keys"
      noun="API keys"
      label={`Load older ${status} keys`}
      complete={describeAllKeys(count, status)}
      className="mt-3"
    >
      {describeLoadedKeys(count, status)}
    </LoadOlder>
  );
}

function describeLoadedKeys(count: number, status: EndedApiKeyStatus): string {
  const loaded =
    count === 0
      ? `No ${status} keys are`
      : countOf(count, `${status} key is`, `${status} keys are`);
  return `${loaded} loaded, and there may be older ones. Search and filters cover only loaded keys.`;
}

function describeAllKeys(count: number, status: EndedApiKeyStatus): string {
  if (count === 0) return `There are no ${status} keys.`;
  return count === 1
    ? `The only ${status} key is loaded.`
    : `All ${countOf(count, `${status} key`)} are loaded.`;
}
