import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { newPasswordError } from '#components/shell/identity/password-length.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { finishPasswordReset } from '#lib/actions/people/signing-in.ts';
import { NewPasswordField } from '../new-password-field.tsx';
import { SubmitButton } from '../submit-button.tsx';

type ResetPasswordFormProps = {
  email: string;
  /** Handles a failure that is about the link: it was used or has expired. */
  refuse: (failure: ActionFailure) => boolean;
  onDone: () => void;
};

/** The form with which someone who has a link chooses a new password. */
export function ResetPasswordForm({ email, refuse, onDone }: ResetPasswordFormProps) {
  const form = usePublicForm({
    initial: { new_password: '' },
    validate(typed) {
      const error = newPasswordError(typed.new_password);
      return error === null ? {} : { new_password: error };
    },
    send: (body) => finishPasswordReset({ body }),
    onDone,
    onFailure: (failure, show) => {
      if (!refuse(failure)) show(failure);
    },
  });
  const { values, change, errors } = form;

  return (
    <>
      <ActionProblem
        keepsInput
        action={form}
        notDone="Your password was not changed"
        unknown="We could not confirm whether your password was changed"
        adviceIfUnknown="If your password was changed, the link no longer works, and you can sign in."
      />
      <Form {...form.attributes} className="grid gap-4">
        {/* Tells a password manager which account's password changes. */}
        <input hidden readOnly name="email" autoComplete="username" value={email} />
        <NewPasswordField
          label="New password"
          error={errors.new_password}
          value={values.new_password}
          onChange={(password) => change({ new_password: password })}
        />
        <SubmitButton action={form}>Change password</SubmitButton>
      </Form>
      <p className="text-small text-pretty text-ink-3">
        This signs you out everywhere. Second factors are not affected.
      </p>
    </>
  );
}
