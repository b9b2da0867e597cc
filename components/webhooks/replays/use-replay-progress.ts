'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import type { Reading } from '#components/shell/page/read-failure.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { isSending } from './describe-replay.ts';
import { useFollowedReplay } from './use-followed-replay.ts';

type ReplayProgressInput = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

type ReplayProgressReading = {
  /** Null: none is shown, or it was not read yet. */
  replay: Replay | null;
  error: Error | null;
  reading: Reading;
  dismiss: () => void;
};

/**
 * Reads the replay in the URL until it has ended. Removes it from the URL if it does not belong to
 * this webhook.
 */
export function useReplayProgress({
  webhook,
  accountId,
  reference,
}: ReplayProgressInput): ReplayProgressReading {
  const [uuid, follow] = useFollowedReplay();
  const { data, error, ...reading } = useQuery({
    ...routeQuery(accountId, 'getReplay', { params: { replay: uuid ?? '' } }),
    enabled: uuid !== null,
    refetchInterval: ({ state }) =>
      (state.data === undefined || isSending(state.data)) && refetchDelay(state.error, refetchMs),
  });
  const isUnknown =
    (data !== undefined && data.webhook_id !== webhook.id) ||
    (error instanceof ApiError && error.code === 'NOT_FOUND');
  const replay = uuid === null || isUnknown ? null : (data ?? null);

  const forget = useEffectEvent(() => follow(null));
  useEffect(() => {
    if (isUnknown) forget();
  }, [isUnknown]);

  // A replay waits while its webhook is inactive, which is known from the webhook's data only.
  useQuery({
    ...routeQuery(accountId, 'getWebhook', { params: { webhook: reference } }),
    enabled: replay !== null && replay.state !== 'cancelled',
    refetchInterval: ({ state }) => refetchDelay(state.error, webhookMs),
    notifyOnChangeProps: [],
  });

  return {
    replay,
    error: uuid === null || isUnknown ? null : error,
    reading,
    dismiss: () => follow(null),
  };
}

const refetchMs = 2000;
const webhookMs = 10_000;
