import {
  ConfirmDialog,
  type DialogClosing,
  FormDialog,
} from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import {
  createRecoveryCodes,
  removeApp,
  removePasskey,
  renamePasskey,
} from '#lib/actions/people/person.ts';
import type { Passkey } from '#lib/contract/people/second-factors.ts';
import { AddPasskey } from './add-passkey.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { SetUpApp } from './set-up-app.tsx';
import { useCodesGuard } from './use-codes-guard.ts';

export type FactorDialogProps = {
  shownDialog: ShownFactorDialog;
  oldCodes: number;
  /** How many passkeys and apps there are. */
  factorCount: number;
  /** Shows another dialog in its place. */
  onOpen: (dialog: ShownFactorDialog) => void;
  onClose: () => void;
  /** Called with a message about what was done. */
  onDone: (message: string) => void;
};

export function FactorDialog({
  shownDialog,
  oldCodes,
  factorCount,
  onOpen,
  onClose,
  onDone,
}: FactorDialogProps) {
  const finalFocus = () => (shownDialog.opener?.isConnected === true ? shownDialog.opener : null);
  const shared = { finalFocus, onClose, onDone };
  const isFirst = factorCount === 0;

  /** The first second factor brings recovery codes, which are shown next. */
  function onAdded(codes: readonly string[] | null, message: string) {
    if (codes === null) onDone(message);
    else onOpen({ kind: 'codes', codes, message, opener: shownDialog.opener });
  }

  switch (shownDialog.kind) {
    case 'add-passkey':
      return <AddPasskey {...shared} isFirst={isFirst} onAdded={onAdded} />;
    case 'rename-passkey':
      return <RenamePasskey {...shared} passkey={shownDialog.passkey} />;
    case 'set-up-app':
      return <SetUpApp {...shared} isFirst={isFirst} onAdded={onAdded} />;
    case 'remove-passkey':
    case 'remove-app':
      return <RemoveFactor {...shared} factor={shownDialog} isLast={factorCount === 1} />;
    case 'create-codes':
      return <CreateRecoveryCodes {...shared} oldCodes={oldCodes} onCreated={onAdded} />;
    case 'codes':
      return (
        <NewRecoveryCodes
          codes={shownDialog.codes}
          finalFocus={finalFocus}
          onClosed={() => onDone(shownDialog.message)}
        />
      );
  }
}

type RenamePasskeyProps = DialogClosing & {
  passkey: Passkey;
  onDone: (message: string) => void;
};

function RenamePasskey({ passkey, onDone, ...dialog }: RenamePasskeyProps) {
  const form = useForm({
    initial: { name: passkey.name },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Enter a name.' } : {}),
    send: (body) => renamePasskey({ params: { passkey: passkey.uuid }, body }),
    onDone: () => onDone('The passkey was renamed.'),
  });
  return (
    <FormDialog
      title={`Rename ${passkey.name}`}
      sentence="Choose a name that helps you recognize this passkey."
      size="narrow"
      form={form}
      buttons={{ confirm: 'Rename' }}
      {...dialog}
    >
      <Field label="Name" error={form.errors.name}>
        <Input
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          value={form.values.name}
          onChange={(event) => form.change({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

type CreateRecoveryCodesProps = DialogClosing & {
  oldCodes: number;
  onCreated: (codes: readonly string[], message: string) => void;
};

function CreateRecoveryCodes({ oldCodes, onCreated, ...dialog }: CreateRecoveryCodesProps) {
  const { run, ...action } = useAction();
  const guardCodes = useCodesGuard(true);
  return (
    <ConfirmDialog
      title="Create new codes"
      sentence={
        oldCodes === 0
          ? 'You get 10 new codes.'
          : `You get 10 new codes. The ${oldCodes === 1 ? 'one you have left stops' : `${oldCodes} you have left stop`} working.`
      }
      action={action}
      failure={{
        adviceIfUnknown:
          'If new codes were created, the old ones no longer work. Press Create new codes again to get codes that do.',
      }}
      onConfirm={() =>
        run(() => guardCodes(createRecoveryCodes), {
          onDone: ({ data }) =>
            onCreated(
              data.recovery_codes,
              'You have new recovery codes. The old ones no longer work.',
            ),
        })
      }
      {...dialog}
    />
  );
}

type RemoveFactorProps = DialogClosing & {
  factor: Extract<ShownFactorDialog, { kind: 'remove-passkey' | 'remove-app' }>;
  isLast: boolean;
  onDone: (message: string) => void;
};

function RemoveFactor({ factor, isLast, onDone, ...dialog }: RemoveFactorProps) {
  const { run, ...action } = useAction();
  const name = factor.kind === 'remove-app' ? 'authenticator app' : factor.passkey.name;

  function remove() {
    const handle = { onDone: () => onDone(`${capitalize(name)} was removed.`) };
    if (factor.kind === 'remove-app') run(removeApp, handle);
    else
      run(() => removePasskey({ params: { passkey: factor.passkey.uuid } }), {
        ...handle,
        onNotFound: handle.onDone,
      });
  }

  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      sentence={
        isLast
          ? 'It is your only second factor. Without it, your password alone is enough to sign in, and your recovery codes stop working.'
          : 'You can no longer use it to sign in or to confirm that it is you.'
      }
      action={action}
      buttons={{ tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={remove}
      {...dialog}
    />
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Which dialog about second factors is open. `codes`: shows recovery codes, this once. */
export type ShownFactorDialog =
  | { kind: 'add-passkey'; opener: HTMLElement | null }
  | { kind: 'rename-passkey'; passkey: Passkey; opener: HTMLElement | null }
  | { kind: 'remove-passkey'; passkey: Passkey; opener: HTMLElement | null }
  | { kind: 'set-up-app'; opener: HTMLElement | null }
  | { kind: 'remove-app'; opener: HTMLElement | null }
  | { kind: 'create-codes'; opener: HTMLElement | null }
  | { kind: 'codes'; codes: readonly string[]; opener: HTMLElement | null; message: string };
