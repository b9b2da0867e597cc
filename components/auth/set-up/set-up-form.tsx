import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { emailError, nameError } from '#components/shell/form/text-errors.ts';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { newPasswordError } from '#components/shell/identity/password-length.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { setUp } from '#lib/actions/people/signing-in.ts';
import { EmailField } from '../email-field.tsx';
import { NameField } from '../name-field.tsx';
import { NewPasswordField } from '../new-password-field.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';

const empty = { account_name: '', name: '', email: '', password: '' };

type SetUpFormProps = {
  /** Handles a failure that is about the set-up link: it was used or has expired. */
  refuse: (failure: ActionFailure) => boolean;
};

/** The form that creates the first account and signs its owner in. */
export function SetUpForm({ refuse }: SetUpFormProps) {
  const form = usePublicForm({
    initial: empty,
    validate: findErrors,
    send: (body) => setUp({ body }),
    onDone: () => proceed(),
    onFailure: (failure, show) => {
      if (!refuse(failure)) show(failure);
    },
  });
  const { values, change, errors } = form;
  // A full load, so that nothing of this page stays in memory.
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, () =>
    window.location.replace('/'),
  );

  return (
    <>
      <ActionProblem
        keepsInput
        action={form}
        notDone="The account was not created"
        unknown="We could not confirm whether the account was created"
        adviceIfUnknown="If the account was created, the set-up link no longer works, and you can sign in."
      />
      <Form {...form.attributes} className="grid gap-4">
        <Field
          label="Account name"
          help="Your company or team. Keys and webhooks belong to it."
          error={errors.account_name}
        >
          <Input
            name="account_name"
            size="large"
            autoComplete="organization"
            required
            value={values.account_name}
            onChange={(event) => change({ account_name: event.target.value })}
          />
        </Field>
        <NameField error={errors.name} value={values.name} onChange={(name) => change({ name })} />
        <EmailField
          help="You sign in with it."
          error={errors.email}
          value={values.email}
          onChange={(email) => change({ email })}
        />
        <NewPasswordField
          error={errors.password}
          value={values.password}
          onChange={(password) => change({ password })}
        />
        <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
          Create account
        </SubmitButton>
      </Form>
    </>
  );
}

function findErrors(typed: typeof empty): FieldErrors<keyof typeof empty> {
  const accountName = nameError(typed.account_name, 'Enter a name for the account.');
  const name = nameError(typed.name, 'Enter your name.');
  const email = emailError(typed.email, 'Enter your email address.');
  const password = newPasswordError(typed.password);
  return {
    ...(accountName !== null && { account_name: accountName }),
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    ...(password !== null && { password }),
  };
}
