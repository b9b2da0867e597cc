import type { Session } from '#lib/contract/people/sessions.ts';
import { FormDialog, type DialogClosing } from '../actions/action-dialogs.tsx';
import { ReasonField, useReasonForm } from './reason-form.tsx';

type ChangeReasonProps = DialogClosing & { session: Session };

/** The dialog in which installation support says that they are in an account for another reason. */
export function ChangeReason({ session, ...dialog }: ChangeReasonProps) {
  const { name } = session.account;
  const form = useReasonForm(session, { onDone: dialog.onClose });
  return (
    <FormDialog
      title="Change reason"
      sentence={`Give each ticket its own reason. A new reason starts a new visit to ${name}.`}
      form={form}
      failure={{
        notDone: 'The reason was not changed',
        unknown: 'We could not confirm whether the reason was changed',
      }}
      {...dialog}
    >
      <ReasonField form={form} accountName={name} />
    </FormDialog>
  );
}
