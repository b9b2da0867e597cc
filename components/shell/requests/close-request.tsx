import {
  ConfirmDialog,
  type DialogClosing,
  FormDialog,
} from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { declineRotationRequest, withdrawRotationRequest } from '#lib/actions/rotation-requests.ts';
import {
  type DeclineReason,
  declineReasons,
  declineReasonTable,
  describeRequestAct,
  describeRequestReason,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { DeclineInput, RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type CloseRequestProps = DialogClosing & {
  request: RotationRequest;
  /** The person who is signed in. */
  personId: string;
  /** Called when the request must be read again: it has ended in the meantime. */
  onStale: () => void;
  onEnded: () => void;
};

/** The dialog in which a person withdraws their own request, or declines one made to them. */
export function CloseRequest({ personId, ...props }: CloseRequestProps) {
  return props.request.requested_by.id === personId ? (
    <WithdrawRequest {...props} />
  ) : (
    <DeclineRequest {...props} />
  );
}

/** The confirmation dialog before the person withdraws their own request. */
function WithdrawRequest({
  request,
  onStale,
  onEnded,
  ...dialog
}: Omit<CloseRequestProps, 'personId'>) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const { member, act, target } = request;
  function finish() {
    toast(`Request to ${member.name} withdrawn`);
    onEnded();
  }

  return (
    <ConfirmDialog
      title="Withdraw request"
      sentence={`${member.name} is no longer asked to ${describeRequestAct(act, target.name)}. Nothing changes.`}
      action={action}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => withdrawRotationRequest({ params: { rotationRequest: request.uuid } }), {
          onDone: finish,
          onNotFound: onEnded,
          onFailure: (failure, show) => {
            show(failure);
            if (failure.details?.['rotation_request']) onStale();
          },
        })
      }
      {...dialog}
    >
      <Facts
        facts={[
          { label: 'Requested from', value: member.name },
          { label: 'Reason', value: describeRequestReason(request) },
          { label: 'Expires', value: <ExactTime value={request.expires_at} /> },
        ]}
      />
    </ConfirmDialog>
  );
}

/** The dialog to decline a request, with a reason that the requester is told. */
function DeclineRequest({
  request,
  onStale,
  onEnded,
  ...dialog
}: Omit<CloseRequestProps, 'personId'>) {
  const toast = useToast();
  const { requested_by: requester, target } = request;
  const form = useForm<Draft, object>({
    initial: { reason: null, message: '' },
    validate: ({ reason }) => (reason === null ? { reason: 'Choose a reason.' } : {}),
    send: (draft) =>
      declineRotationRequest({
        params: { rotationRequest: request.uuid },
        body: toInput(draft),
      }),
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
      sentence={`${target.name} does not change. ${requester.name} is told why, and can ask someone else.`}
      form={form}
      buttons={{ confirm: 'Decline request' }}
      failure={{
        notDone: 'The request was not declined',
        unknown: 'We could not confirm whether the request was declined',
        adviceIfUnknown: 'Declining again is safe.',
      }}
      {...dialog}
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
  later: 'Someone will do it, but not within 72 hours.',
  someone_else: 'Another member will do it.',
  other: 'Explain why in the message.',
};

const reasons = declineReasons.map((value) => ({
  value,
  label: declineReasonTable[value],
  description: descriptions[value],
}));

/** A webhook that nobody resumes has nothing that could be exposed. */
const reasonsNotToResume = reasons.filter(({ value }) => value !== 'not_exposed');
