import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { accountPath } from '#lib/paths/account-path.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { FoundKey, FoundToken } from '#lib/contract/support-desk/support-desk.ts';
import { DeskTable } from './desk-table.tsx';
import { foundKeyPath, keyResult } from './found-key.tsx';

type FoundTokenBannerProps = {
  found: FoundToken;
  /** Whether the leak of an unknown token was reported. */
  isReported: boolean;
  onReport: () => void;
};

/** Whether a pasted token works, and what to do. The desk puts it into a live region. */
export function FoundTokenBanner({ found, isReported, onReport }: FoundTokenBannerProps) {
  const { key, state } = found;
  if (key === null) {
    return <UnknownToken isReported={isReported} onReport={onReport} />;
  }
  const works = state === 'live' || state === 'grace';
  const next = works ? nextStepOf(key, found.leak_revocations_left ?? 0) : null;
  return (
    <Banner
      role="none"
      tone={works ? 'bad' : 'plain'}
      title={titles[state]}
      action={
        next && (
          <a href={next.href} className={buttonClass({})}>
            {next.label}
          </a>
        )
      }
    >
      {state === 'grace' && found.valid_until !== null && (
        <>
          It was replaced and works until <ExactTime value={found.valid_until} />.{' '}
        </>
      )}
      {state === 'ended' && found.valid_until !== null && (
        <>
          It ended <ExactTime value={found.valid_until} />.{' '}
        </>
      )}
      {key.details !== null && <LastUse value={found.last_used_at} />}
      This token was pasted into a page: treat it as leaked. It did not leave your browser, which
      sent only its digest (SHA-256).
      {next && <span className="mt-1.5 block">{next.text}</span>}
    </Banner>
  );
}

function LastUse({ value }: { value: string | null }) {
  if (value === null) return 'It was never used. ';
  return (
    <>
      It was last used <RelativeTime isMidSentence value={value} />.{' '}
    </>
  );
}

/** Its account may be closed to this person. The report shows nothing of it. */
function UnknownToken({ isReported, onReport }: Omit<FoundTokenBannerProps, 'found'>) {
  return (
    <Banner
      role="none"
      title="No key in the accounts you can open has this token"
      action={!isReported && <Button onClick={onReport}>Report leak</Button>}
    >
      It was never created here, its key was erased, or you cannot open its account. This token was
      pasted into a page: treat it as leaked. It did not leave your browser, which sent only its
      digest (SHA-256).
      <span className="mt-1.5 block">
        {isReported
          ? 'Reported. If the token belongs to an account that is closed to you, its owners and admins get an email with your name and address. An operator can revoke its key.'
          : 'If you cannot open its account, you can reach its owners and admins with Report leak: they get an email with your name and address, and you see nothing of the account.'}
      </span>
    </Banner>
  );
}

export function FoundTokenKey({ found }: { found: FoundKey }) {
  return (
    <DeskTable
      caption="The key of the token"
      onNarrow={null}
      groups={[{ label: 'Keys', results: [keyResult(found, '')] }]}
    />
  );
}

type NextStep = { label: string; href: string; text: string };

/** What the person can do about the leak of a valid token. */
function nextStepOf(key: FoundKey, revocationsLeft: number): NextStep {
  const { account, details } = key;
  // Support may report a leak, and only it gives reasons.
  if (details?.may === 'nothing') {
    return {
      label: 'Open team',
      href: accountPath(account.id, 'settings/team'),
      text: `Your role cannot report the leak. Ask an owner or an admin of ${account.name} to rotate or revoke the key now.`,
    };
  }
  // Installation support has the rights of the role support.
  const endsTokens = mayAct(account.role ?? 'support', 'api-keys.end-tokens');
  return {
    label: 'Report leak',
    href: `${foundKeyPath(key)}?act=leak`,
    text: endsTokens
      ? 'Report leak rotates the key and ends this token immediately, after you confirm it. You can also revoke the key there.'
      : `With Report leak, you ask a member to rotate the key. ${revocationSentence(revocationsLeft)}`,
  };
}

function revocationSentence(left: number): string {
  if (left === 0) {
    return 'You can revoke 3 reported keys in 24 hours. You have reached that limit. An owner, an admin or someone else in support can revoke this one now, on the page of the report.';
  }
  return `Then you can revoke the key immediately, and all owners and admins are notified by email. You can revoke ${left} more within 24 hours.`;
}

const titles: Record<FoundToken['state'], string> = {
  live: 'This token works',
  grace: 'This token still works',
  paused: 'The key of this token is paused',
  ended: 'This token was replaced and no longer works',
  revoked: 'The key of this token was revoked',
  expired: 'The key of this token has expired',
  unknown: 'This token is unknown',
};
