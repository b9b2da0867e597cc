'use client';

import { Send } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useState, useTransition } from 'react';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import {
  type ActionFailureState,
  useActionFailure,
} from '#components/shell/actions/use-action-failure.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { sendTest } from '#lib/actions/deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';

import { failureText } from '../failure-text.ts';

export type TestSending = Pick<ActionFailureState, 'failure' | 'deadline' | 'secondsLeft'> & {
  send: () => void;
  isPending: boolean;
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
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const runAction = useRunAction();
  const { data: read } = useQuery({
    ...deliveryQuery(accountId, sent?.uuid ?? ''),
    enabled: sent !== null,
  });

  function send() {
    setFailure(null);
    setSent(null);
    startTransition(async () => {
      const result = await runAction(() => sendTest(webhook.uuid));
      if (result.ok) {
        setSent(result.delivery);
        onSent();
      } else handleFailure(result);
    });
  }

  return { send, isPending, test: read ?? sent, failure, deadline, secondsLeft };
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
        <ErrorPanel
          title={
            isOutcomeUnknown(failure)
              ? 'It is unknown whether a test was sent'
              : 'The test was not sent'
          }
          message={
            isOutcomeUnknown(failure)
              ? `${failure.message} If it was, it stands below.`
              : failureText(failure)
          }
          requestId={failure.requestId}
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
