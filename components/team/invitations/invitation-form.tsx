import { useId, useState } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { emailError } from '#components/shell/form/text-errors.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveGuard } from '#components/shell/leaving/use-leave-guard.ts';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Radio } from '#components/ui/inputs/radio.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { createInvitation } from '#lib/actions/people/account.ts';
import {
  type SupportTokens,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/support-tokens.ts';
import type { DeliveredInvitation } from '#lib/contract/people/invitations.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct, type Role, roleTable } from '#lib/contract/rights/roles.ts';
import { rolesToGive } from '../member-options.ts';

type InvitationFormProps = DialogClosing & {
  session: Pick<Session, 'account' | 'role'>;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  onInvited: (invitation: DeliveredInvitation) => void;
};

/** The form to invite someone: their email and role, and what support can see. */
export function InvitationForm({
  session,
  supportMembers,
  onInvited,
  ...dialog
}: InvitationFormProps) {
  const { account, role: ownRole } = session;
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
      return await guardInvitation(() => createInvitation({ body: { email, role, ...limit } }));
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
        notDone: 'The invitation was not created',
        unknown: 'We could not confirm whether the invitation was created',
        adviceIfUnknown: 'If it was, it is in the list of pending invitations.',
        rateLimit: 'The number of invitations an hour is limited.',
      }}
      {...dialog}
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

type SupportLimitProps = {
  accountName: string;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  value: SupportTokens;
  /** For owners. Without it, the limit is only shown. */
  onChange: ((tokens: SupportTokens) => void) | null;
};

/** The strongest key whose new token support can see, within the card of that role. */
function SupportLimit({ accountName, supportMembers, value, onChange }: SupportLimitProps) {
  const id = useId();
  const everyone = `everyone with the role Support in ${accountName}${
    supportMembers === null ? '' : `, also to ${supportMembers}`
  }`;
  if (onChange === null) {
    const { label, description } = supportTokensTable[value];
    return (
      <div className="grid gap-1 border-t border-accent-solid/30 pt-3 text-small text-pretty">
        <p className="font-medium">{legend}</p>
        <p>
          {label}
          <span className="block text-ink-2">{description}</span>
        </p>
        <p className="text-ink-2">
          This applies to {everyone}. Only an owner can change it. For any other key, support
          requests a rotation.
        </p>
      </div>
    );
  }
  return (
    <div className="border-t border-accent-solid/30 pt-3">
      <FieldGroup
        role="radiogroup"
        legend={legend}
        help={
          <span className="text-ink-2">
            For any other key, support requests a rotation. This applies to {everyone}.
          </span>
        }
        noteId={`${id}-note`}
      >
        <div className="grid gap-2">
          {supportTokens.map((tokens) => (
            <label
              key={tokens}
              className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 text-small"
            >
              <Radio
                name="tokens"
                value={tokens}
                checked={value === tokens}
                onChange={() => onChange(tokens)}
                aria-labelledby={`${id}-${tokens}`}
                aria-describedby={`${id}-${tokens}-about`}
                className="tick-box"
              />
              <span id={`${id}-${tokens}`}>{supportTokensTable[tokens].label}</span>
              <span
                id={`${id}-${tokens}-about`}
                className="col-start-2 text-micro text-pretty text-ink-2"
              >
                {supportTokensTable[tokens].description}
              </span>
            </label>
          ))}
        </div>
      </FieldGroup>
    </div>
  );
}

const legend = 'New tokens that support can see';

type Call = () => Promise<ActionResult<{ data: DeliveredInvitation }>>;

/**
 * Guards a call whose response may contain the link of an invitation, which is then shown once:
 * until the response is there, the page asks before it is left.
 */
export function useGuardedInvitation(): (call: Call) => ReturnType<Call> {
  const guardRequest = useLeaveGuard();
  return async (call) =>
    await guardRequest('invitation link', call, (result) => result.ok && result.data.link !== null);
}
