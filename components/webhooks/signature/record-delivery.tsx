import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { testWebhook } from '#lib/actions/webhooks.ts';
import { signatureHeaders } from '#lib/contract/deliveries/signature-verdicts.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveriesQuery, deliveryQuery } from '#lib/queries/deliveries.ts';

type RecordDeliveryProps = {
  webhook: Webhook;
  accountId: string;
  /** @param headers what the service sent with the delivery */
  onRecorded: (headers: string) => void;
};

type Recording =
  | { kind: 'none' }
  | { kind: 'starting' | 'failed' }
  /** Deliveries with a higher id are new. */
  | { kind: 'waiting'; after: number }
  | { kind: 'recorded'; type: string; attempt: number };

/** Waits for the next delivery of the webhook, and fills in its headers. */
export function RecordDelivery({ webhook, accountId, onRecorded }: RecordDeliveryProps) {
  const [recording, setRecording] = useState<Recording>({ kind: 'none' });
  const { run, ...test } = useAction();
  const client = useQueryClient();
  const after = recording.kind === 'waiting' ? recording.after : null;
  const list = deliveriesQuery(accountId, webhook.uuid, {});
  const { data } = useInfiniteQuery({
    ...list,
    enabled: after !== null,
    refetchInterval: refetchMs,
  });
  const sent =
    after === null
      ? undefined
      : data?.pages[0]?.data.find(({ id, attempt_count: count }) => id > after && count > 0);
  const { data: delivery } = useQuery({
    ...deliveryQuery(accountId, sent?.uuid ?? ''),
    enabled: sent !== undefined,
  });
  const attempt = sent && delivery?.uuid === sent.uuid ? delivery.attempts.at(-1) : undefined;
  // During rendering, as React advises for state that follows other values.
  if (attempt && sent) {
    setRecording({ kind: 'recorded', type: sent.event.type, attempt: attempt.number });
    onRecorded(
      signatureHeaders.map((name) => `${name}: ${attempt.request.headers[name] ?? ''}`).join('\n'),
    );
  }

  async function start() {
    setRecording({ kind: 'starting' });
    try {
      const { pages } = await client.fetchInfiniteQuery({ ...list, staleTime: 0 });
      const newest = Math.max(0, ...(pages[0]?.data ?? []).map(({ id }) => id));
      setRecording({ kind: 'waiting', after: newest });
    } catch {
      setRecording({ kind: 'failed' });
    }
  }

  if (recording.kind === 'waiting') {
    return (
      <div className="grid gap-3 rounded-3 border border-line-strong px-4 py-3.5">
        <p role="status" className="flex gap-2.5 text-pretty">
          <Spinner />
          Waiting for the next delivery to {webhook.name}.
        </p>
        <div className="flex flex-wrap gap-2">
          <ActionButton
            action={test}
            size="small"
            disabledReason={
              webhook.status === 'pending_setup'
                ? 'Finish the set-up of the webhook first.'
                : undefined
            }
            onClick={() =>
              run(() => testWebhook({ params: { webhook: webhook.uuid }, body: {} }), {
                onDone: () => undefined,
              })
            }
          >
            Send test event
          </ActionButton>
          <Button size="small" variant="ghost" onClick={() => setRecording({ kind: 'none' })}>
            Stop
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button icon={<Radio />} pending={recording.kind === 'starting'} onClick={() => void start()}>
        Record a delivery
      </Button>
      <p role="status" className="text-small text-pretty text-ink-2">
        {recording.kind === 'none' && 'Fills in the headers of the next one.'}
        {recording.kind === 'failed' && 'The deliveries could not be loaded. Try again.'}
        {recording.kind === 'recorded' &&
          `Recorded ${recording.type}, attempt ${recording.attempt}. Now paste what your code computed.`}
      </p>
    </div>
  );
}

const refetchMs = 2000;
