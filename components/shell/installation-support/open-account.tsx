import type { Session } from '#lib/contract/people/sessions.ts';
import { SectionForm } from '../form/section-form.tsx';
import { PageHeading } from '../page/page-heading.tsx';
import { PageTitle } from '../page/page-title.tsx';
import { ReasonField, useReasonForm } from './reason-form.tsx';

/** Shown in place of a page until installation support says why they open the account. */
export function OpenAccount({ session }: { session: Session }) {
  const { name } = session.account;
  const form = useReasonForm(session);
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
        <ReasonField form={form} accountName={name} />
      </SectionForm>
    </>
  );
}
