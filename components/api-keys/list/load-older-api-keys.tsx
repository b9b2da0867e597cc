'use client';

import { useEffect, useRef } from 'react';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import {
  type EndedApiKeyStatus,
  endedApiKeysListed,
} from '#lib/contract/api-keys/ended-api-keys.ts';

import type { OlderApiKeys } from './use-older-api-keys.ts';

type LoadOlderApiKeysProps = {
  status: EndedApiKeyStatus;
  older: OlderApiKeys;
  /** The keys of every status that are loaded already. */
  loaded: readonly ApiKey[];
  /** How many of the loaded keys have the status. */
  count: number;
};

/** Loads older revoked or expired keys. Shown below the list if it may be incomplete. */
export function LoadOlderApiKeys({ status, older, loaded, count }: LoadOlderApiKeysProps) {
  const line = useRef<HTMLParagraphElement>(null);
  const wasPressed = useRef(false);
  const { hasMore } = older;

  useEffect(() => {
    // The button is removed once all keys are loaded, so the text takes the focus.
    if (!hasMore && wasPressed.current) line.current?.focus();
  }, [hasMore]);

  function load() {
    wasPressed.current = true;
    void older.loadMore(loaded);
  }

  return (
    <div className="mt-3 flex min-h-control-small flex-wrap items-center justify-between gap-3 text-small text-ink-3">
      <p ref={line} tabIndex={-1} className="outline-none">
        {hasMore ? describeLoadedKeys(count, status) : describeAllKeys(count, status)}
      </p>
      {hasMore && (
        <Button size="small" pending={older.isLoading} onClick={load}>
          Load older {status} keys
        </Button>
      )}
      {older.error && (
        <div className="basis-full">
          <ReadFailure
            isLocal
            what="The older keys"
            noun="API keys"
            error={older.error}
            isShown={false}
            reading={{
              errorUpdatedAt: older.failedAt,
              dataUpdatedAt: 0,
              isFetching: older.isLoading,
              refetch: load,
            }}
          />
        </div>
      )}
    </div>
  );
}

/** Says how to find older keys. Shown below the unfiltered list if it may be incomplete. */
export function OlderApiKeysNote() {
  return (
    <p className="mt-3 text-small text-ink-3">
      Only the {endedApiKeysListed} most recently revoked or expired keys are listed. To load older
      ones, choose the status Revoked or Expired.
    </p>
  );
}

function describeLoadedKeys(count: number, status: EndedApiKeyStatus): string {
  const loaded = count === 1 ? `1 ${status} key is` : `${count || 'No'} ${status} keys are`;
  return `${loaded} loaded, and there may be older ones. Search and filters cover only loaded keys.`;
}

function describeAllKeys(count: number, status: EndedApiKeyStatus): string {
  if (count === 0) return `There are no ${status} keys.`;
  return count === 1
    ? `The only ${status} key is loaded.`
    : `All ${count} ${status} keys are loaded.`;
}
