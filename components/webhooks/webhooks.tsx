'use client';

import { useQuery } from '@tanstack/react-query';

import { useReturnFocus } from '#components/shell/use-return-focus.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { ActRefusal } from './act-refusal.tsx';
import { useArrivalFocus } from './arrival.tsx';
import { NoWebhooks } from './no-webhooks.tsx';
import { SetUpFailure } from './set-up-failure.tsx';
import { SetUpSecret } from './set-up-secret.tsx';
import { useWebhookActs } from './use-webhook-acts.ts';
import { WebhookAct } from './webhook-act.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookTableSkeleton } from './webhook-table.tsx';
import { WebhooksFailure } from './webhooks-failure.tsx';
import { WebhooksHeading } from './webhooks-heading.tsx';

type WebhooksProps = { account: { id: string; name: string }; role: Role; publicUrl: string };

/** The page: the list in each of its states, and the dialogs of its rows. */
export function Webhooks({ account, role, publicUrl }: WebhooksProps) {
  const { acts, asked, opener, setUp, busyWith, refusal, close } = useWebhookActs({
    accountId: account.id,
    role,
  });
  const isAsking = asked !== null || setUp.stage.name === 'revealed';
  const { data, error, ...reading } = useQuery({
    ...webhooksQuery(account.id),
    // Coming back to the tab with a secret on show must change nothing under it.
    refetchOnWindowFocus: !isAsking,
    refetchOnReconnect: !isAsking,
  });
  const finalFocus = useReturnFocus(opener, data);
  useArrivalFocus(!reading.isFetching);
  const mayCreate = mayAct(role, 'webhooks.create');
  // What was read while it was allowed is not shown any longer once it is forbidden.
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const webhooks = isForbidden ? undefined : data;

  return (
    <>
      <WebhooksHeading hasCreate={mayCreate && !isForbidden && webhooks?.length !== 0} />
      {error && (
        <WebhooksFailure
          error={error}
          failedAt={reading.errorUpdatedAt}
          readAt={webhooks ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {refusal && <ActRefusal refusal={refusal} className="mb-3" />}
      <SetUpFailure setUp={setUp} className="mb-3" />
      {reading.isPending && <WebhookTableSkeleton />}
      {webhooks?.length === 0 && <NoWebhooks publicUrl={publicUrl} canCreate={mayCreate} />}
      {webhooks && webhooks.length > 0 && (
        <WebhookList
          webhooks={webhooks}
          accountName={account.name}
          isBusy={reading.isFetching}
          busyWith={busyWith}
          acts={acts}
        />
      )}
      <SetUpSecret setUp={setUp} finalFocus={finalFocus} />
      <WebhookAct
        isWanted={asked !== null}
        asked={asked}
        finalFocus={finalFocus}
        onClosed={close}
      />
    </>
  );
}
