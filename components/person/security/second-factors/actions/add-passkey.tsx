import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { Fingerprint } from 'lucide-react';
import { useId } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-identity.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field, FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { addPasskey, startPasskey } from '#lib/actions/people/person.ts';
import type { PasskeyAttestation } from '#lib/contract/people/second-factors.ts';
import { adviceIfLost, useCodesGuard } from './use-codes-guard.ts';

type AddPasskeyProps = DialogClosing & {
  /** The first second factor brings recovery codes. */
  isFirst: boolean;
  onAdded: (codes: readonly string[] | null, message: string) => void;
};

/** The dialog to add a passkey: a name, and then the browser's own dialog. */
export function AddPasskey({ isFirst, onAdded, ...dialog }: AddPasskeyProps) {
  const formId = useId();
  const runAction = useRunAction();
  const guardCodes = useCodesGuard(isFirst);
  const form = useForm({
    initial: { name: '', passkey: '' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Enter a name.' } : {}),
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
    runsItself: true,
  });
  return (
    <FormDialog
      title="Add passkey"
      sentence="Choose in your browser where to keep it: on this device, in your password manager, or on a security key."
      size="narrow"
      form={form}
      buttons={{ confirm: 'Create passkey' }}
      failure={{ adviceIfUnknown: adviceIfLost('passkey', isFirst) }}
      {...dialog}
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
      <Note icon={<Fingerprint />}>You then confirm with your fingerprint, face or PIN.</Note>
    </FormDialog>
  );
}

function refused(message: string): ActionFailure {
  return { ok: false, code: 'VALIDATION_ERROR', message, details: { passkey: [message] } };
}

/** Has the browser create a passkey; returns a sentence that says why, if it created none. */
async function createCredential(
  options: Record<string, unknown>,
): Promise<PasskeyAttestation | string> {
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser');
  try {
    return (await startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    })) as PasskeyAttestation;
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    return isKnown
      ? 'This device already has one of your passkeys.'
      : 'No passkey was created. Try again.';
  }
}
