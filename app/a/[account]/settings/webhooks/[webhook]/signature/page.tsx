import { PageTitle } from '#components/shell/page/page-title.tsx';
import { SignatureDoctor } from '#components/webhooks/signature/signature-doctor.tsx';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import { read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../../../page-titles.ts';
import { orNotFound } from '../../../failed-read.ts';

type SignatureDoctorPageProps = { params: Promise<{ webhook: string }> };

export default async function SignatureDoctorPage({ params }: SignatureDoctorPageProps) {
  const session = await requireSession();
  const webhook = await orNotFound(
    read('getWebhook', { params: { webhook: (await params).webhook } }),
  );
  return (
    <>
      <PageTitle>{pageTitles.signatureDoctor}</PageTitle>
      <SignatureDoctor
        webhook={webhook}
        accountId={session.account.id}
        mayReadPayload={memberMay(memberRightsOf(session), 'payloads.read')}
      />
    </>
  );
}
