'use client';

import { Send } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import type { ActionState } from '#components/shell/actions/use-sending.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { sendTest } from '#lib/actions/deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries/deliveries.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';

export type TestSending = ActionState & {
  send: () => void;
  /** The current state of the latest test event's delivery. */
  test: Delivery | null;
};

type TestSendingInput = {
  accountId: string;
  /** Called when the test event's delivery is in the list. */
  onSent: () => void;
};

/** Sends test events, and reads the state of the latest one, whether the list shows it or not. */
export function useTestSending(
  webhook: Webhook,
  { accountId, onSent }: TestSendingInput,
): TestSending {
  const [sent, setSent] = useState<Delivery | null>(null);
  const { run, ...action } = useAction();
  const { data: read } = useQuery({
    ...deliveryQuery(accountId, sent?.uuid ?? ''),
    enabled: sent !== null,
  });

  function send() {
    setSent(null);
    run(() => sendTest(webhook.uuid), {
      onDone: ({ delivery }) => {
        setSent(delivery);
        onSent();
      },
    });
  }

  return { ...action, send, test: read ?? sent };
}

/** The button to send a test event. An inactive webhook is sent nothing, including tests. */
export function SendTest({ sending, webhook }: { sending: TestSending; webhook: Webhook }) {
  const { send, isPending, secondsLeft } = sending;
  return (
    <Button
      icon={<Send />}
      size="small"
      pending={isPending}
      disabledReason={
        webhook.is_active
          ? rateLimitReason(secondsLeft)
          : 'It is inactive, so nothing is sent to it. Resume it first.'
      }
      onClick={send}
    >
      Send test
    </Button>
  );
}

/** The result of the latest test event. */
export function TestOutcome({ sending }: { sending: TestSending }) {
  const { test, failure, deadline } = sending;
  return (
    <>
      <p role="status" className="text-small text-pretty text-ink-2 empty:hidden">
        {test && outcomeOf(test)}
      </p>
      <RateLimitNotice deadline={deadline} />
      {failure && (
        <ActionFailurePanel
          failure={failure}
          notDone="The test was not sent"
          unknown="It is unknown whether a test was sent"
          adviceIfUnknown="If it was, it is listed below."
        />
      )}
    </>
  );
}

function outcomeOf({ status, last_status_code: code, last_error: error }: Delivery): string {
  switch (status) {
    case 'pending':
      return 'A test is on its way.';
    case 'delivered':
      return code === null
        ? 'The test was delivered.'
        : `The test was delivered: your server answered ${code}.`;
    case 'failed':
      return `The test was not delivered. ${error ?? ''}`.trim();
    case 'cancelled':
      return 'The test was cancelled.';
  }
}
