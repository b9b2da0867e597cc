'use client';

import { type SubmitEvent, useId, useState, useTransition } from 'react';

import { cancelDisabledReason } from '#components/shell/actions/cancel-disabled-reason.ts';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useActionFailure } from '#components/shell/actions/use-action-failure.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { requestRotation } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import {
  type RotationReason,
  rotationReasons,
  rotationReasonTable,
} from '#lib/contract/rotation-reasons.ts';

import { FailureMessage } from '../failure-message.tsx';
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

type FieldErrors = { member?: string; reason?: string; note?: string };

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
  const [errors, setErrors] = useState<FieldErrors>({});
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const runAction = useRunAction();
  const toast = useToast();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    if (member.id === '' || reason === null) {
      showFieldErrors({
        ...(member.id === '' && { member: 'Choose who is to rotate the key.' }),
        ...(reason === null && { reason: 'Choose a reason.' }),
      });
      return;
    }
    const input = { member: member.id, reason, ...(note.trim() !== '' && { note }) };
    startTransition(async () => {
      const result = await runAction(() => requestRotation(apiKey.uuid, input));
      if (!result.ok) {
        handleFailure(result, showFailure);
        return;
      }
      const mailed = result.request.mailed_at === null ? ', without another mail' : '';
      toast(`${member.name} is asked to rotate ${apiKey.name}${mailed}`);
      onRequested();
    });
  }

  function showFailure(result: ActionFailure) {
    const fieldErrors = fieldErrorsOf(result);
    showFieldErrors(fieldErrors);
    if (Object.keys(fieldErrors).length === 0) setFailure(result);
    if (result.details?.['api_key']) onStale();
  }

  function clearError(name: keyof FieldErrors) {
    const { [name]: cleared, ...others } = errors;
    if (cleared !== undefined) setErrors(others);
  }

  function showFieldErrors(found: FieldErrors) {
    setErrors(found);
    focusFirstInvalid();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      isLocked={isPending}
      title={`Request rotation of ${apiKey.name}`}
      sentence="Asks a member who may see the new token. They rotate the key and are shown it."
      finalFocus={finalFocus}
      footer={
        <>
          <Button onClick={onClose} disabledReason={cancelDisabledReason(isPending)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isPending}
            disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
          >
            Request rotation
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
      </form>
      <Note>
        <strong>Nothing changes until then.</strong> The tokens of today go on, and the request ends
        by itself after 72 hours.
      </Note>
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && (
        <Banner
          tone="bad"
          title={
            isOutcomeUnknown(failure)
              ? 'It is unknown whether the rotation was requested'
              : 'The rotation was not requested'
          }
        >
          <FailureMessage failure={failure} adviceIfUnknown="Asking again is safe." />
        </Banner>
      )}
    </Dialog>
  );
}

const DESCRIPTIONS: Record<RotationReason, string> = {
  leaked: 'You can also revoke the key at once, without waiting.',
  lost: 'Nobody knows where it is kept.',
  left: 'They should not be able to use it any longer.',
  scheduled: 'Nothing is wrong with it.',
};

const REASONS = rotationReasons.map((value) => ({
  value,
  label: rotationReasonTable[value],
  description: DESCRIPTIONS[value],
}));

function fieldErrorsOf({ details }: ActionFailure): FieldErrors {
  const found: FieldErrors = {};
  for (const name of fields) {
    const message = details?.[name]?.[0];
    if (message !== undefined) found[name] = message;
  }
  return found;
}
