'use client';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { declineRotationRequest } from '#lib/actions/rotation-requests.ts';
import {
  type DeclineReason,
  declineReasons,
  declineReasonTable,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { DeclineInput, RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type DeclineRequestProps = {
  request: RotationRequest;
  finalFocus: FocusTarget;
  /** Called when the request must be read again: it has ended meanwhile. */
  onStale: () => void;
  onClose: () => void;
  onEnded: () => void;
};

/** The dialog to decline a request, with a reason that the requester is told. */
export function DeclineRequest({
  request,
  finalFocus,
  onStale,
  onClose,
  onEnded,
}: DeclineRequestProps) {
  const runAction = useRunAction();
  const toast = useToast();
  const { requested_by: requester, target } = request;
  const form = useForm<Draft, object>({
    initial: { reason: null, message: '' },
    validate: ({ reason }) => (reason === null ? { reason: 'Choose a reason.' } : {}),
    send: (draft) =>
      runAction(() =>
        declineRotationRequest({
          params: { rotationRequest: request.uuid },
          body: toInput(draft),
        }),
      ),
    onDone: () => {
      toast(`${requester.name} is told that you declined`);
      onEnded();
    },
    onFailure: (failure, show) => {
      show(failure);
      if (failure.details?.['rotation_request']) onStale();
    },
  });
  const { values, change, errors } = form;

  return (
    <FormDialog
      title="Decline request"
      sentence={`${target.name} stays as it is. ${requester.name} is told why, and may ask somebody else.`}
      form={form}
      buttons={{ confirm: 'Decline request' }}
      failure={{
        notDone: 'The request was not declined',
        unknown: 'We could not confirm whether the request was declined',
        adviceIfUnknown: 'Declining again is safe.',
      }}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <RadioCards
        legend="Reason"
        name="reason"
        cards={request.act === 'resume' ? reasonsNotToResume : reasons}
        value={values.reason}
        error={errors.reason}
        onChange={(reason) => change({ reason })}
      />
      <Field label={`Message to ${requester.name}`} optional error={errors.message}>
        <TextArea
          value={values.message}
          maxLength={500}
          onChange={(event) => change({ message: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

type Draft = { reason: DeclineReason | null; message: string };

function toInput({ reason, message }: Draft): DeclineInput {
  if (reason === null) throw new Error('A request was declined without a reason.');
  return { reason, ...(message.trim() !== '' && { message }) };
}

const descriptions: Record<DeclineReason, string> = {
  not_exposed: 'Nobody else can have seen it.',
  later: 'Somebody will do it, but not within 72 hours.',
  someone_else: 'Another member will do it.',
  other: 'Say why in the message.',
};

const reasons = declineReasons.map((value) => ({
  value,
  label: declineReasonTable[value],
  description: descriptions[value],
}));

/** A webhook that nobody resumes has nothing that could be exposed. */
const reasonsNotToResume = reasons.filter(({ value }) => value !== 'not_exposed');
