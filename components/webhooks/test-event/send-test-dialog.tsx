import { useQuery } from '@tanstack/react-query';
import { ArrowRight, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { Code } from '#components/ui/data-display/code.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { testWebhook } from '#lib/actions/webhooks.ts';
import type { Delivery, DeliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { TestWebhookInput } from '#lib/contract/events/test-events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';
import { formatMilliseconds } from '#lib/time.ts';
import { attemptSentence } from '../delivery/attempt-sentence.ts';
import { useEventSamples, useEventTypes } from '../event-types.tsx';
import { webhookPath } from '../webhook-path.ts';
import { parsePayload } from './parse-payload.ts';

type SendTestDialogProps = {
  webhook: Webhook;
  accountId: string;
  /** Whether the person may choose the event’s type and data. */
  mayChooseContent: boolean;
  finalFocus: FocusTarget;
  /** @param isSent whether a test was sent since the dialog was opened */
  onClose: (isSent: boolean) => void;
  /** Called if someone else deleted the webhook. */
  onNotFound: () => void;
};

type SentType = EventType | TestEventType;

type TestDraft = { type: SentType; data: string };

/**
 * The dialog to send a test event, which shows the receiver’s response. People who may change the
 * webhook choose the event type, and an example of its data or data of their own.
 */
export function SendTestDialog({
  webhook,
  accountId,
  mayChooseContent,
  finalFocus,
  onClose,
  onNotFound,
}: SendTestDialogProps) {
  const samples = useEventSamples();
  const types: SentType[] = ['webhook.test', ...useEventTypes()];
  const sampleOf = (type: SentType) => JSON.stringify(samples[type], null, 2);
  /** What was written for the other event types: it is shown again when its type is chosen. */
  const [texts, setTexts] = useState<Partial<Record<SentType, string>>>({});
  const [sent, setSent] = useState<Delivery | null>(null);
  const initial: TestDraft = { type: 'webhook.test', data: sampleOf('webhook.test') };
  const form = useForm({
    initial,
    validate: ({ data }) => {
      const parsed = parsePayload(data);
      return parsed.ok ? {} : { data: parsed.error };
    },
    shownFields: () => ['data'],
    send: (draft) => testWebhook({ params: { webhook: webhook.uuid }, body: toInput(draft) }),
    onDone: ({ data }) => setSent(data),
    onNotFound,
  });
  const { type, data } = form.values;
  const isChosen = type !== 'webhook.test' || data !== sampleOf(type);

  /** Leaves out what is not chosen: a test without a choice needs no proof. */
  function toInput(draft: TestDraft): TestWebhookInput {
    return {
      ...(draft.type !== 'webhook.test' && { type: draft.type }),
      ...(draft.data !== sampleOf(draft.type) && { data: toData(draft.data) }),
    };
  }

  function changeType(next: SentType) {
    setTexts({ ...texts, [type]: data });
    form.change({ type: next, data: texts[next] ?? sampleOf(next) });
  }

  return (
    <FormDialog
      title={`Send a test to ${webhook.name}`}
      sentence={`${mayChooseContent ? 'It is' : 'An event of the type webhook.test is'} signed like every event, and sent once. A test never counts as a failure.${webhook.is_active ? '' : ` The webhook is ${webhook.status}: it is sent this test, and no events.`}`}
      form={form}
      buttons={{ confirm: sent === null ? 'Send test' : 'Send another test', cancel: 'Close' }}
      failure={{
        notDone: 'The test was not sent',
        unknown: 'We could not confirm whether a test was sent',
        adviceIfUnknown: 'If it was, it is in the list of deliveries.',
      }}
      typed={sent === null ? undefined : 'sent'}
      onClose={() => onClose(sent !== null)}
      finalFocus={finalFocus}
    >
      {mayChooseContent && (
        <>
          <Field label="Event type">
            <Select
              options={types.map((value) => ({ value, label: value }))}
              value={type}
              onChange={changeType}
            />
          </Field>
          <Field
            label="Data"
            error={form.errors.data}
            help="The event’s data as JSON. Type, time and “test” are added."
          >
            <TextArea
              rows={6}
              spellCheck={false}
              autoCapitalize="off"
              value={data}
              onChange={({ target }) => form.change({ data: target.value })}
              className="max-h-72 min-h-36 font-mono text-code"
            />
          </Field>
          {isChosen && (
            <Note icon={<TriangleAlert />}>
              <strong>Your server may treat this as a real event.</strong> It has a valid signature.
              Only <Code isSmall>&quot;test&quot;: true</Code> in its body, and a{' '}
              <Code isSmall>webhook-id</Code> that begins with <Code isSmall>msg_test_</Code>, show
              that it is a test.
            </Note>
          )}
        </>
      )}
      <TestResult
        sent={sent}
        webhook={webhook}
        accountId={accountId}
        onLeave={() => onClose(true)}
      />
    </FormDialog>
  );
}

function toData(text: string): Record<string, unknown> {
  const parsed = parsePayload(text);
  if (!parsed.ok) throw new Error('A payload with an error was sent.');
  return parsed.data;
}

type TestResultProps = {
  /** The delivery of the latest test, as it was made. Null: none was sent yet. */
  sent: Delivery | null;
  webhook: Webhook;
  accountId: string;
  /** Called when the link to the delivery is followed. */
  onLeave: () => void;
};

/** The result of a test, with a link to its delivery. Its space is reserved from the start. */
function TestResult({ sent, webhook, accountId, onLeave }: TestResultProps) {
  const { data } = useQuery({
    ...deliveryQuery(accountId, sent?.uuid ?? ''),
    enabled: sent !== null,
  });
  const delivery = sent === null ? null : (data ?? { ...sent, attempts: [] });
  return (
    <div className="flex min-h-20.5 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-3 border border-line px-3.5 py-2.5">
      <div role="status" aria-label="Result of the test" className="min-w-0 flex-1 basis-48">
        {delivery === null ? (
          <p className="text-ink-3">Your server’s response is shown here.</p>
        ) : (
          <Outcome delivery={delivery} />
        )}
      </div>
      {delivery && (
        <PageLink
          href={`${webhookPath(webhook, 'deliveries')}?delivery=${delivery.uuid}`}
          extent="tab"
          onClick={onLeave}
          className="link inline-flex min-h-6 items-center gap-1 pointer-coarse:min-h-11"
        >
          Open delivery
          <ArrowRight aria-hidden className="icon-14" />
        </PageLink>
      )}
    </div>
  );
}

function Outcome({ delivery }: { delivery: DeliveryWithAttempts }) {
  const { status } = delivery;
  if (status === 'pending') return <Status mark="waiting">Sending now</Status>;
  if (status === 'cancelled') return <Status mark="ended">Cancelled</Status>;
  const attempt = delivery.attempts.at(-1);
  return (
    <>
      {status === 'delivered' ? (
        <Status mark="ok">Delivered</Status>
      ) : (
        <Status mark="failed">Not delivered</Status>
      )}
      {attempt && (
        <p className="mt-0.5 pl-[21px] text-small text-pretty text-ink-2">
          {attemptSentence(attempt)} It took {formatMilliseconds(attempt.duration_ms)}, at{' '}
          <ExactTime value={attempt.started_at} form="clock" />.
        </p>
      )}
    </>
  );
}
