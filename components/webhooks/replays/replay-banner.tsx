import { Ban, Check, Clock, History } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Meter } from '#components/ui/feedback/meter.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { describeEnd, describeProgress, isSending, sentOf } from './describe-replay.ts';
import type { ReplayCancellation } from './use-replay-cancellation.ts';

type ReplayBannerProps = {
  replay: Replay;
  isActive: boolean;
  cancellation: ReplayCancellation;
  onCancel: (from: HTMLElement | null) => void;
  onDismiss: (from: HTMLElement | null) => void;
};

/** The progress of a replay, or how it ended. */
export function ReplayBanner({
  replay,
  isActive,
  cancellation,
  onCancel,
  onDismiss,
}: ReplayBannerProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const dismiss = useRef<HTMLButtonElement>(null);
  const isRunning = isSending(replay);
  const { completionMessage } = cancellation;
  return (
    <Banner
      role="none"
      icon={iconOf(replay, isActive)}
      title={
        isRunning ? (
          <>
            {replay.status_filter === 'pending' ? (
              'Sending waiting deliveries'
            ) : (
              <>
                Replaying <Window replay={replay} />
              </>
            )}
            : {describeProgress(replay)}
          </>
        ) : (
          describeEnd(replay)
        )
      }
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          {replay.state !== 'cancelled' && completionMessage === null && (
            <ActionButton
              ref={cancel}
              size="small"
              action={cancellation}
              onClick={() => onCancel(cancel.current)}
            >
              Cancel replay
            </ActionButton>
          )}
          {!isRunning && (
            <Button ref={dismiss} size="small" onClick={() => onDismiss(dismiss.current)}>
              Dismiss
            </Button>
          )}
        </div>
      }
    >
      <BannerBody replay={replay} isActive={isActive} completionMessage={completionMessage} />
    </Banner>
  );
}

type BannerBodyProps = Pick<ReplayBannerProps, 'replay' | 'isActive'> &
  Pick<ReplayCancellation, 'completionMessage'>;

function BannerBody({ replay, isActive, completionMessage }: BannerBodyProps): ReactNode {
  if (isSending(replay)) {
    return (
      <>
        {!isActive &&
          'It waits while its webhook is inactive, and continues once the webhook is resumed.'}
        <Meter
          role="progressbar"
          label="Progress of the replay"
          value={sentOf(replay)}
          max={Math.max(1, replay.total)}
          text={describeProgress(replay)}
          className="mt-2 mb-1 w-full"
        />
      </>
    );
  }
  if (replay.state === 'cancelled') {
    return (
      <>
        Window: <Window replay={replay} />. Queued events that were not sent yet are cancelled as
        well.
        {replay.status_filter === 'failed' && ' A replay of the same window sends the rest.'}
      </>
    );
  }
  return (
    <>
      {replay.status_filter === 'pending' ? (
        'These deliveries were waiting for a retry.'
      ) : (
        <>
          {isSending(replay) ? 'Replaying' : 'Replayed'} <Window replay={replay} />.
        </>
      )}{' '}
      Deliveries that failed again are retried automatically. {completionMessage}
    </>
  );
}

function Window({ replay: { since, until } }: { replay: Replay }) {
  return (
    <>
      <ExactTime form="short" value={since} /> – <ExactTime value={until} />
    </>
  );
}

function iconOf(replay: Replay, isActive: boolean): ReactNode {
  if (replay.state === 'cancelled') return <Ban />;
  if (!isSending(replay)) return <Check />;
  return isActive ? <History /> : <Clock />;
}
