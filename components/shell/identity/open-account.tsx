'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';

import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { openSupportVisit } from '#lib/actions/people/installation-support.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { visitHours } from '#lib/contract/people/visit-hours.ts';
import { sessionQuery } from '#lib/queries/people/session.ts';

import { useRunAction } from '../actions/use-run-action.ts';
import { SectionForm } from '../form/section-form.tsx';
import { useForm } from '../form/use-form.ts';
import { PageHeading } from '../page/page-heading.tsx';
import { PageTitle } from '../page/page-title.tsx';

/** Shown in place of a page until installation support says why they open the account. */
export function OpenAccount({ session }: { session: Session }) {
  const { name } = session.account;
  const runAction = useRunAction();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) =>
      reason.trim().length < 3 ? { reason: 'Enter a reason of at least 3 characters.' } : {},
    send: (typed) => runAction(() => openSupportVisit(typed)),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery(session).queryKey });
      router.refresh();
    },
  });

  return (
    <>
      <PageTitle>{`Open ${name}`}</PageTitle>
      <PageHeading
        title={`Why are you opening ${name}?`}
        sentence="You are not a member of this account: you support every account on this installation."
      />
      <SectionForm
        form={form}
        notDone="The account was not opened"
        unknown="We could not confirm whether the account was opened"
        submit="Open account"
        variant="primary"
        success={null}
        className="max-w-120"
      >
        <Field
          label="Reason"
          help={`Members of ${name} can read it, and it stays in the audit log. You are not asked again for ${visitHours} hours, unless you sign out.`}
          error={form.errors.reason}
        >
          <Input
            name="reason"
            placeholder="Ticket 4812: calls get a 401"
            autoComplete="off"
            required
            maxLength={500}
            value={form.values.reason}
            onChange={(event) => form.change({ reason: event.target.value })}
          />
        </Field>
      </SectionForm>
    </>
  );
}
