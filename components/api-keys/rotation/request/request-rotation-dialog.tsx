'use client';

import { useId } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { DialogForm } from '#components/shell/actions/dialog-form.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { requestRotation } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type {
  RequestRotationInput,
  RotationRequest,
} from '#lib/contract/api-keys/rotation-requests.ts';
import {
  type RotationReason,
  rotationReasons,
  rotationReasonTable,
} from '#lib/contract/api-keys/rotation-reasons.ts';

import { purposeFacts } from '../../purpose-facts.tsx';
import { describeAskedMember } from '../../describe-asked-member.ts';
import { RotatorField } from './rotator-field.tsx';

type RequestRotationDialogProps = {
  apiKey: ApiKey;
  accountId: string;
  /** Reports that the token leaked, so there is no other reason to choose. */
  isLeakReport?: boolean;
  /** The person's own open request, which the report of a leak replaces. */
  replaced?: RotationRequest | null;
  finalFocus: FocusTarget;
  /** Called when the key must be read again: it has an open request already, or it has ended. */
  onStale: () => void;
  onClose: () => void;
  onRequested: (request: RotationRequest) => void;
};

/** The dialog to request that another member rotates a key. */
export function RequestRotationDialog({
  apiKey,
  accountId,
  isLeakReport = false,
  replaced = null,
  finalFocus,
  onStale,
  onClose,
  onRequested,
}: RequestRotationDialogProps) {
  const formId = useId();
  const runAction = useRunAction();
  const toast = useToast();
  const form = useForm<Draft, { request: RotationRequest }>({
    initial: {
      member: replaced?.member ?? { id: '', name: '' },
      reason: isLeakReport ? 'leaked' : null,
      note: '',
    },
    validate: findMissing,
    send: (request) => runAction(() => requestRotation(apiKey.uuid, toInput(request))),
    onDone: ({ request }) => {
      // The dialog that follows a leak says it itself, and a toast would cover its buttons.
      if (request.reason !== 'leaked') toast(describeAskedMember(request, apiKey.name));
      onRequested(request);
    },
    onFailure: (failure, show) => {
      show(failure);
      if (failure.details?.['api_key']) onStale();
    },
  });
  const { values, change, errors } = form;
  const texts = isLeakReport ? leakReportTexts : requestTexts;

  return (
    <ActionDialog
      {...texts}
      title={`${texts.confirmLabel} of ${apiKey.name}`}
      facts={purposeFacts(apiKey)}
      action={form}
      keepsInput
      formId={formId}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} {...form.attributes}>
        <RotatorField
          accountId={accountId}
          apiKey={apiKey}
          value={values.member.id}
          error={errors.member}
          onChange={(id, name) => change({ member: { id, name } })}
        />
        {!isLeakReport && (
          <RadioCards
            legend="Reason"
            name="reason"
            cards={reasons}
            value={values.reason}
            error={errors.reason}
            onChange={(chosen) => change({ reason: chosen })}
          />
        )}
        <Field label="Note" optional error={errors.note}>
          <TextArea
            value={values.note}
            maxLength={500}
            onChange={(event) => change({ note: event.target.value })}
          />
        </Field>
      </DialogForm>
      {replaced !== null && (
        <Note>
          <strong>This replaces your open request to {replaced.member.name}.</strong> Its reason
          was: {rotationReasonTable[replaced.reason]}.
        </Note>
      )}
      <Note>
        <strong>Nothing changes until the key is rotated.</strong> The current tokens keep working,
        and the {isLeakReport ? 'report' : 'request'} expires after 72 hours.
      </Note>
    </ActionDialog>
  );
}

const requestTexts = {
  confirmLabel: 'Request rotation',
  sentence: 'Asks a member who can see the new token to rotate the key.',
  notDone: 'The rotation was not requested',
  unknown: 'We could not confirm whether the rotation was requested',
  adviceIfUnknown: 'Asking again is safe.',
};

const leakReportTexts = {
  confirmLabel: 'Report leak',
  sentence: 'Asks a member to rotate the key now. Then you can also revoke it yourself.',
  notDone: 'The leak was not reported',
  unknown: 'We could not confirm whether the leak was reported',
  adviceIfUnknown: 'Reporting it again is safe.',
};

type Draft = {
  member: { id: string; name: string };
  reason: RotationReason | null;
  note: string;
};

function toInput({ member, reason, note }: Draft): RequestRotationInput {
  if (reason === null) throw new Error('A request without a reason was sent.');
  return { member: member.id, reason, ...(note.trim() !== '' && { note }) };
}

function findMissing({ member, reason }: Draft): FieldErrors<keyof Draft> {
  return {
    ...(member.id === '' && { member: 'Choose who should rotate the key.' }),
    ...(reason === null && { reason: 'Choose a reason.' }),
  };
}

const descriptions: Record<RotationReason, string> = {
  leaked: 'You can also revoke the key immediately.',
  lost: 'Nobody knows where it is kept.',
  left: 'They should no longer be able to use it.',
  scheduled: 'Nothing is wrong with it.',
};

const reasons = rotationReasons.map((value) => ({
  value,
  label: rotationReasonTable[value],
  description: descriptions[value],
}));
