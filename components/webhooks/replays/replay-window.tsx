'use client';

import { type SubmitEvent, useId, useState, useTransition } from 'react';

import {
  type Deadline,
  RateLimitNotice,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { useAct } from '#components/shell/use-act.ts';
import { useRefusal } from '#components/shell/use-refusal.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { RadioCards } from '#components/ui/radio-cards.tsx';
import { useFirstInvalid } from '#components/ui/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { createReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/replays.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

import { CountedEvents } from './counted-events.tsx';
import {
  firstDraft,
  readDraft,
  type ReplayDraft,
  type WindowErrors,
  windowErrorsOf,
} from './replay-draft.ts';
import { ReplayFailure } from './replay-failure.tsx';
import { replayLabel } from './replay-words.ts';
import { type ReplayCount, useReplayCount } from './use-replay-count.ts';
import { WindowFields } from './window-fields.tsx';

export type ReplayWindowProps = {
  webhook: Webhook;
  finalFocus: FocusTarget;
  onClose: () => void;
  onBegun: (replay: Replay) => void;
  /** Instead of beginning another: shows how far the one is that runs already. @param uuid */
  onFollow: (uuid: string) => void;
};

/** Asks which window and what of it, says how many events that is, and begins to send them again. */
export function ReplayWindow({
  webhook,
  finalFocus,
  onClose,
  onBegun,
  onFollow,
}: ReplayWindowProps) {
  const formId = useId();
  const [draft, setDraft] = useState<ReplayDraft>(firstDraft);
  // What the choices count back from: kept, so that what is sent is what was counted.
  const [askedAt, setAskedAt] = useState(() => new Date());
  const [told, setTold] = useState<WindowErrors>({});
  const [isJudged, setJudged] = useState(false);
  const { failure, setFailure, refuse, ...refused } = useRefusal();
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const act = useAct();
  const reading = readDraft(draft, askedAt);
  const count = useReplayCount(webhook.uuid, reading.ok ? reading.input : null, askedAt.getTime());
  const deadline = laterOf(refused.deadline, count.state === 'failed' ? count.deadline : null);
  const secondsLeft = useSecondsLeft(deadline);
  const faults = reading.ok ? {} : reading.errors;
  const errors = { ...(isJudged && faults), ...told };

  function change(part: Partial<ReplayDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setAskedAt(new Date());
    setTold({});
    setFailure(null);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!reading.ok) {
      setJudged(true);
      focusFirstInvalid();
      return;
    }
    const { input } = reading;
    setFailure(null);
    startTransition(async () => {
      const result = await act(() => createReplay(webhook.uuid, input));
      if (result.ok) onBegun(result.replay);
      else refuse(result, tell);
    });
  }

  function tell(result: ActionFailure) {
    const found = draft.span === 'own' ? windowErrorsOf(result.details) : {};
    setTold(found);
    focusFirstInvalid();
    if (Object.keys(found).length === 0) setFailure(result);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      isLocked={isPending}
      title={`Replay a window to ${webhook.name}`}
      sentence="What happened in it is sent again, behind what is new."
      finalFocus={finalFocus}
      footer={
        <>
          <Button onClick={onClose} refused={isPending ? 'It is under way.' : undefined}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isPending}
            refused={isPending ? undefined : (waitReason(secondsLeft) ?? refusalOf(count))}
            className="tabular-nums max-sm:flex-[2]!"
          >
            {replayLabel(count.state === 'counted' ? count.count : null)}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        method="post"
        noValidate
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] gap-5"
      >
        <WindowFields
          draft={draft}
          reading={reading}
          errors={errors}
          now={askedAt}
          onChange={change}
          onLeft={() => setJudged(true)}
        />
        <RadioCards
          legend="Which events"
          name="status"
          cards={CARDS}
          value={draft.status}
          onChange={(status) => change({ status })}
          help={
            <>
              Each has the <span className="code-micro">webhook-id</span> it had before, and{' '}
              <span className="code-micro">webhook-replay</span> beside it.
            </>
          }
        />
      </form>
      <CountedEvents
        count={count}
        isWaiting={secondsLeft > 0}
        onCountAgain={() => setAskedAt(new Date())}
      />
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && <ReplayFailure failure={failure} which={draft.status} onFollow={onFollow} />}
    </Dialog>
  );
}

const CARDS = [
  {
    value: 'failed',
    label: 'What failed or was never delivered',
    description: 'What your server took already is left alone.',
  },
  {
    value: 'all',
    label: 'Everything, delivered ones too',
    description: 'What your server took already comes again; it can tell by the webhook-id.',
  },
] as const;

function refusalOf(count: ReplayCount): string | undefined {
  switch (count.state) {
    case 'none':
      // Pressed, it says what is wrong with the window.
      return undefined;
    case 'counting':
      return 'The events are still being counted.';
    case 'failed':
      return 'It is not known how many events these are. Count them again first.';
    case 'counted':
      return count.count === 0 ? 'There is nothing to send in this window.' : undefined;
  }
}

function laterOf(one: Deadline | null, other: Deadline | null): Deadline | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
