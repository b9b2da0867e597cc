import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { ReplayInput } from '#lib/contract/deliveries/replays.ts';
import { findUuid } from '#lib/find-uuid.ts';

type ReplayFailureProps = {
  failure: ActionFailure;
  which: ReplayInput['status'];
  /** Shows the progress of the replay with this uuid. */
  onFollow: (uuid: string) => void;
};

/** Why the replay was not started, and whether trying again is safe. */
export function ReplayFailure({ failure, which, onFollow }: ReplayFailureProps) {
  const running = findUuid(failure.details?.['replay']?.[0] ?? '');
  if (running !== null) {
    return (
      <Banner
        tone="warn"
        title="This replay is running already"
        action={<Button onClick={() => onFollow(running)}>Show its progress</Button>}
      >
        Wait until it is done, or cancel it first.
      </Banner>
    );
  }
  return (
    <ActionFailurePanel
      failure={failure}
      notDone="The replay was not started"
      unknown="We could not confirm whether the replay was started"
      adviceIfUnknown={advice[which]}
    />
  );
}

const advice: Record<ReplayInput['status'], string> = {
  failed: 'Trying again is safe: no event is queued twice.',
  pending: 'Trying again is safe: no event is queued twice.',
  all: 'If it did, its events soon appear in the list as pending. Another replay would send them again.',
};
