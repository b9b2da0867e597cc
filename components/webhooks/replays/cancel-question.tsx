import { Question, type QuestionProps } from '#components/ui/question.tsx';
import type { Replay } from '#lib/contract/replays.ts';

import { progressInWords } from './replay-words.ts';

type CancelQuestionProps = Pick<QuestionProps, 'open' | 'onStay' | 'onLeave'> & {
  replay: Replay;
  finalFocus: NonNullable<QuestionProps['finalFocus']>;
};

/** Asked where cancelling cannot be made good by another replay of the same window. */
export function CancelQuestion({ replay, ...question }: CancelQuestionProps) {
  return (
    <Question
      {...question}
      title="Cancel this replay of everything?"
      stay="Keep replaying"
      leave="Cancel replay"
    >
      {progressInWords(replay)}. What is queued and not sent yet is cancelled. Another replay of
      everything in this window begins anew, and repeats what was sent by then.
    </Question>
  );
}
