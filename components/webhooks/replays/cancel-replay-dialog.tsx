import {
  QuestionDialog,
  type QuestionDialogProps,
} from '#components/ui/overlays/question-dialog.tsx';
import type { Replay } from '#lib/contract/deliveries/replays.ts';

import { describeProgress } from './describe-replay.ts';

type CancelReplayDialogProps = Pick<QuestionDialogProps, 'open' | 'onStay' | 'onLeave'> & {
  replay: Replay;
  finalFocus: NonNullable<QuestionDialogProps['finalFocus']>;
};

/**
 * Asks for confirmation before a replay is cancelled if another replay of the same window cannot
 * complete it.
 */
export function CancelReplayDialog({ replay, ...question }: CancelReplayDialogProps) {
  return (
    <QuestionDialog
      {...question}
      title="Cancel this replay of all events?"
      stay="Keep replaying"
      leave="Cancel replay"
    >
      {describeProgress(replay)}. Queued events that are not sent yet are cancelled, unless they
      arrived before this replay. If you replay all events of this window again, those that were
      sent are sent once more.
    </QuestionDialog>
  );
}
