'use client';

import { useId, useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { DialogForm } from '#components/shell/actions/dialog-form.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useFieldErrors } from '#components/shell/form/use-field-errors.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { requestRotation } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-keys.ts';
import {
  type RotationReason,
  rotationReasons,
  rotationReasonTable,
} from '#lib/contract/api-keys/rotation-reasons.ts';

import { RotatorField } from './rotator-field.tsx';

type RequestRotationProps = {
  apiKey: ApiKey;
  accountId: string;
  /** The reason that is selected at first. */
  reason?: RotationReason;
  finalFocus: FocusTarget;
  /** Called when the key must be read again: it has an open request already, or it has ended. */
  onStale: () => void;
  onClose: () => void;
  onRequested: () => void;
};

const fields = ['member', 'reason', 'note'] as const;

/** The dialog to request that another member rotates a key. */
export function RequestRotation({
  apiKey,
  accountId,
  reason: givenReason,
  finalFocus,
  onStale,
  onClose,
  onRequested,
}: RequestRotationProps) {
  const formId = useId();
  const [member, setMember] = useState({ id: '', name: '' });
  const [reason, setReason] = useState<RotationReason | null>(givenReason ?? null);
  const [note, setNote] = useState('');
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(fields);
  const { run, clearFailure, ...action } = useAction();
  const toast = useToast();

  function submit() {
    if (member.id === '' || reason === null) {
      clearFailure();
      showErrors({
        ...(member.id === '' && { member: 'Choose who should rotate the key.' }),
        ...(reason === null && { reason: 'Choose a reason.' }),
      });
      return;
    }
    const input = { member: member.id, reason, ...(note.trim() !== '' && { note }) };
    run(() => requestRotation(apiKey.uuid, input), {
      onDone: ({ request }) => {
        const mailed = request.mailed_at === null ? '; not by e-mail: 3 a day is the limit' : '';
        toast(`${member.name} was asked to rotate ${apiKey.name}${mailed}`);
        onRequested();
      },
      onFailure: (failure, show) => {
        showFailure(failure, show);
        if (failure.details?.['api_key']) onStale();
      },
    });
  }

  return (
    <ActionDialog
      title={`Request rotation of ${apiKey.name}`}
      confirmLabel="Request rotation"
      sentence="Asks a member who can see the new token to rotate the key."
      action={action}
      keepsInput
      failurePanel={
        action.failure && (
          <ActionFailurePanel
            failure={action.failure}
            notDone="The rotation was not requested"
            unknown="It is unknown whether the rotation was requested"
            adviceIfUnknown="Asking again is safe."
          />
        )
      }
      formId={formId}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} form={form} errorCount={errorCount} onSubmit={submit}>
        <RotatorField
          accountId={accountId}
          apiKey={apiKey}
          value={member.id}
          error={errors.member}
          onChange={(id, name) => {
            setMember({ id, name });
            clearError('member');
          }}
        />
        <RadioCards
          legend="Reason"
          name="reason"
          cards={REASONS}
          value={reason}
          error={errors.reason}
          onChange={(chosen) => {
            setReason(chosen);
            clearError('reason');
          }}
        />
        <Field label="Note" optional error={errors.note}>
          <TextArea
            value={note}
            maxLength={500}
            onChange={(event) => {
              setNote(event.target.value);
              clearError('note');
            }}
          />
        </Field>
      </DialogForm>
      <Note>
        <strong>Nothing changes until then.</strong> The current tokens keep working, and the
        request expires after 72 hours.
      </Note>
    </ActionDialog>
  );
}

const DESCRIPTIONS: Record<RotationReason, string> = {
  leaked: 'You can also revoke the key at once, without waiting.',
  lost: 'Nobody knows where it is kept.',
  left: 'They should no longer be able to use it.',
  scheduled: 'Nothing is wrong with it.',
};

const REASONS = rotationReasons.map((value) => ({
  value,
  label: rotationReasonTable[value],
  description: DESCRIPTIONS[value],
}));
