'use client';

import { useState } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { emailError } from '#components/shell/form/text-errors.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { createInvitation } from '#lib/actions/people/account.ts';
import type { DeliveredInvitation } from '#lib/contract/people/invitations.ts';
import type { SupportTokens } from '#lib/contract/api-keys/support-tokens.ts';
import { mayAct, type Role, roleTable } from '#lib/contract/rights/roles.ts';

import { rolesToGive } from '../member-options.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { SupportLimit } from './support-limit.tsx';
import { useGuardedInvitation } from './use-guarded-invitation.ts';

type InvitationFormProps = {
  session: Pick<Session, 'account' | 'role'>;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  finalFocus: FocusTarget;
  onInvited: (invitation: DeliveredInvitation) => void;
  onClose: () => void;
};

/** The form to invite somebody: their email and role, and what support can see. */
export function InvitationForm({
  session,
  supportMembers,
  finalFocus,
  onInvited,
  onClose,
}: InvitationFormProps) {
  const { account, role: ownRole } = session;
  const runAction = useRunAction();
  const guardInvitation = useGuardedInvitation();
  // The page reads the account again while the form is open.
  const [savedTokens] = useState(account.support.tokens);
  const form = useForm({
    initial: { email: '', role: null as Role | null, tokens: savedTokens },
    validate: findErrors,
    send: async ({ email, role, tokens }) => {
      if (role === null) throw new Error('An invitation without a role was sent.');
      // In one call: an invitation that is refused leaves what support can see as it is.
      const limit = role === 'support' && tokens !== savedTokens && { support_tokens: tokens };
      return await runAction(() =>
        guardInvitation(() => createInvitation({ body: { email, role, ...limit } })),
      );
    },
    onDone: ({ data }) => onInvited(data),
  });
  const { values, change, errors } = form;
  const mayLimit = mayAct(ownRole, 'account.manage');

  return (
    <FormDialog
      title="Invite member"
      sentence="The invitation works once and expires after 72 hours."
      form={form}
      failure={{
        notDone: 'Nobody was invited',
        unknown: 'We could not confirm whether the invitation was made',
        adviceIfUnknown: 'If it was, it is in the list of pending invitations.',
        rateLimit: 'The number of invitations an hour is limited.',
      }}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label="Email" error={errors.email}>
        <Input
          name="email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          value={values.email}
          onChange={(event) => change({ email: event.target.value })}
        />
      </Field>
      <RadioCards
        legend="Role"
        name="role"
        columns={1}
        cards={rolesToGive(ownRole).map((role) => ({
          value: role,
          label: roleTable[role].label,
          description: roleTable[role].description,
          ...(role === 'support' && {
            details: (
              <SupportLimit
                accountName={account.name}
                supportMembers={supportMembers}
                value={mayLimit ? values.tokens : account.support.tokens}
                onChange={mayLimit ? (tokens: SupportTokens) => change({ tokens }) : null}
              />
            ),
          }),
        }))}
        value={values.role}
        error={errors.role}
        onChange={(role) => change({ role })}
      />
    </FormDialog>
  );
}

function findErrors({
  email,
  role,
}: {
  email: string;
  role: Role | null;
}): FieldErrors<'email' | 'role'> {
  const wrongEmail = emailError(email, 'Enter their email address.');
  return {
    ...(wrongEmail !== null && { email: wrongEmail }),
    ...(role === null && { role: 'Choose a role.' }),
  };
}
