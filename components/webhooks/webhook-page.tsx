'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';

import { useReturnFocus } from '#components/shell/use-return-focus.ts';
import { usePageAddress } from '#components/ui/page-root.ts';
import { useNow } from '#components/ui/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { memberRightsOf } from '#lib/contract/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { webhookQuery } from '#lib/queries/webhooks.ts';

import { ActRefusal } from './act-refusal.tsx';
import { useArrival, useArrivalFocus } from './arrival.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { Health } from './health/health.tsx';
import { SetUpFailure } from './set-up-failure.tsx';
import { SetUpSecret } from './set-up-secret.tsx';
import { useWebhookActs } from './use-webhook-acts.ts';
import { WebhookAct } from './webhook-act.tsx';
import { WebhookBanners } from './webhook-banners.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookHeading } from './webhook-heading.tsx';
import { webhooksPath } from './webhook-path.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookSkeleton } from './webhook-skeleton.tsx';
import { WebhooksFailure } from './webhooks-failure.tsx';

type WebhookPageProps = {
  account: Session['account'];
  role: Role;
  /** As it stands in the address: uuid or id. */
  reference: string;
  renderedAt: string;
};

/** Everything known about one webhook, and everything that can be done to it. */
export function WebhookPage({ account, role, reference, renderedAt }: WebhookPageProps) {
  const router = useRouter();
  const addressOf = usePageAddress();
  const arriveAt = useArrival();
  const { acts, asked, opener, setUp, busyWith, refusal, close } = useWebhookActs({
    accountId: account.id,
    role,
    onDeleted: () => {
      arriveAt('main');
      router.replace(addressOf(webhooksPath));
    },
  });
  const isAsking = asked !== null || setUp.stage.name === 'revealed';
  const { data, error, ...reading } = useQuery({
    ...webhookQuery(account.id, reference),
    // Coming back to the tab with a secret on show must change nothing under it.
    refetchOnWindowFocus: !isAsking,
    refetchOnReconnect: !isAsking,
    // What is told of its last attempt holds as long as what is counted of them. After a failure
    // there is a button for it.
    refetchInterval: ({ state }) => (isAsking || state.status === 'error' ? false : LIVE_MS),
  });
  const finalFocus = useReturnFocus(opener, data);
  useArrivalFocus(!reading.isFetching);
  const now = useNow() ?? new Date(renderedAt);
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const webhook = isForbidden ? undefined : data;
  const isBusy = busyWith !== null;

  if (webhook === undefined && error === null) return <WebhookSkeleton />;
  return (
    <>
      <WebhookHeading webhook={webhook} acts={acts} isBusy={isBusy} />
      {error && (
        <WebhooksFailure
          what="webhook"
          error={error}
          failedAt={reading.errorUpdatedAt}
          readAt={webhook ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {refusal && <ActRefusal refusal={refusal} className="mb-6" />}
      <SetUpFailure setUp={setUp} className="mb-6" />
      {webhook && (
        <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
          <WebhookBanners webhook={webhook} now={now} acts={acts} isBusy={isBusy} />
          {webhook.status !== 'pending_setup' && mayAct(role, 'events.read') && (
            <Health webhook={webhook} accountId={account.id} reference={reference} now={now} />
          )}
          <WebhookSecret webhook={webhook} now={now} acts={acts} />
          {webhook.status !== 'pending_setup' && mayAct(role, 'events.read') && (
            <Deliveries
              webhook={webhook}
              accountId={account.id}
              reference={reference}
              rights={memberRightsOf({ account, role })}
            />
          )}
          <WebhookFacts webhook={webhook} />
        </div>
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

/** Each costs a call. */
const LIVE_MS = 30_000;
