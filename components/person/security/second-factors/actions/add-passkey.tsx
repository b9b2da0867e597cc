'use client';

import { Fingerprint } from 'lucide-react';
import { useId } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field, FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { addPasskey, startPasskey } from '#lib/actions/people/person.ts';

import { adviceIfLost } from './advice-if-lost.ts';
import { createCredential } from './create-credential.ts';
import { useCodesGuard } from './use-codes-guard.ts';

type AddPasskeyProps = {
  /** The first second factor brings recovery codes. */
  isFirst: boolean;
  finalFocus: FocusTarget;
  onClose: () => void;
  onAdded: (codes: readonly string[] | null, message: string) => void;
};

/** The dialog to add a passkey: a name, and then the browser's own dialog. */
export function AddPasskey({ isFirst, finalFocus, onClose, onAdded }: AddPasskeyProps) {
  const formId = useId();
  const runAction = useRunAction();
  const guardCodes = useCodesGuard(isFirst);
  const form = useForm({
    initial: { name: '', passkey: '' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Give it a name.' } : {}),
    send: async ({ name }) => {
      const started = await runAction(startPasskey);
      if (!started.ok) return started;
      const created = await createCredential(started.data);
      if (typeof created === 'string') return refused(created);
      return await runAction(() =>
        guardCodes(() => addPasskey({ body: { name, passkey: created } })),
      );
    },
    onDone: ({ data: { recovery_codes: codes, passkey } }) =>
      onAdded(codes, `The passkey ${passkey.name} was added.`),
    isInBackground: true,
  });
  return (
    <FormDialog
      title="Add passkey"
      sentence="Your browser asks where to keep it: on this device, in your password manager, or on a security key."
      size="narrow"
      form={form}
      buttons={{ confirm: 'Create passkey' }}
      failure={{ adviceIfUnknown: adviceIfLost('passkey', isFirst) }}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field
        label="Name"
        help="Helps you recognize it later, for example “Work laptop”."
        error={form.errors.name}
      >
        <Input
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          value={form.values.name}
          onChange={(event) => form.change({ name: event.target.value, passkey: '' })}
        />
      </Field>
      <FieldNote id={`${formId}-passkey`} error={form.errors.passkey} />
      <Note icon={<Fingerprint />}>
        It confirms that it is you with your fingerprint, face or PIN.
      </Note>
    </FormDialog>
  );
}

function refused(message: string): ActionFailure {
  return { ok: false, code: 'VALIDATION_ERROR', message, details: { passkey: [message] } };
}
