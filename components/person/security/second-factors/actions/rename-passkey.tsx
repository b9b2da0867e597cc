'use client';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { renamePasskey } from '#lib/actions/people/person.ts';
import type { Passkey } from '#lib/contract/people/second-factors.ts';

type RenamePasskeyProps = {
  passkey: Passkey;
  finalFocus: FocusTarget;
  onClose: () => void;
  onDone: (message: string) => void;
};

/** The dialog to rename a passkey. */
export function RenamePasskey({ passkey, finalFocus, onClose, onDone }: RenamePasskeyProps) {
  const runAction = useRunAction();
  const form = useForm({
    initial: { name: passkey.name },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Give it a name.' } : {}),
    send: (body) => runAction(() => renamePasskey({ params: { passkey: passkey.uuid }, body })),
    onDone: () => onDone('The passkey was renamed.'),
  });
  return (
    <FormDialog
      title={`Rename ${passkey.name}`}
      sentence="Choose a name that helps you recognize this passkey."
      size="narrow"
      form={form}
      buttons={{ confirm: 'Rename' }}
      onClose={onClose}
      finalFocus={finalFocus}
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
