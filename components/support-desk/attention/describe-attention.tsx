import {
  ClockAlert,
  MailX,
  MessageSquareWarning,
  OctagonAlert,
  Siren,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { AttentionItem } from '#lib/contract/support-desk/attention.ts';
import { countOf } from '#lib/count.ts';

export type DescribedAttention = {
  icon: ReactNode;
  title: string;
  /** The cause; null before a reason was given, if the title has everything that may be shown. */
  detail: ReactNode;
  /** The page below the account on which one can do something about it, and the act. */
  page: string;
  act: string;
  /** The name of what the act is about. */
  name: string;
};

type Item<Kind extends AttentionItem['kind']> = AttentionItem & { kind: Kind };

/** What needs attention in words. */
export function describeAttention(item: AttentionItem): DescribedAttention {
  switch (item.kind) {
    case 'leak_reported':
      return describeLeak(item);
    case 'webhook_deactivated':
    case 'webhook_failing':
      return describeWebhook(item);
    case 'request_open':
      return describeRequest(item);
    case 'key_expiring':
      return describeKey(item);
    case 'email_undeliverable':
      return describeEmail(item);
  }
}

function describeLeak({ request, target, details }: Item<'leak_reported'>): DescribedAttention {
  const what = target.kind === 'api_key' ? 'Token' : 'Signing secret';
  return {
    icon: <Siren />,
    title: `${what} of ${target.name} was reported as leaked`,
    detail: details && (
      <>
        It has not ended. {target.kind === 'api_key' && <LastUse {...details} />} {details.asked}{' '}
        was asked to replace it.
      </>
    ),
    page: `settings/rotation-requests/${request}`,
    act: 'Open report',
    name: target.name,
  };
}

function describeWebhook(
  item: Item<'webhook_failing' | 'webhook_deactivated'>,
): DescribedAttention {
  const { id, name, host, status_code: code, details } = item;
  const isFailing = item.kind === 'webhook_failing';
  return {
    icon: isFailing ? <TriangleAlert /> : <OctagonAlert />,
    title: `Webhook ${name} ${isFailing ? 'is failing' : 'was deactivated'}`,
    detail: (
      <>
        <Code isSmall>{host}</Code>
        {code === null ? ' did not respond' : ` responded with ${code}`}
        {details && <WebhookDetails {...details} />}
      </>
    ),
    page: `settings/webhooks/${id}`,
    act: 'Open webhook',
    name,
  };
}

function WebhookDetails({
  error,
  body_excerpt: excerpt,
  waiting,
  next_attempt_at: next,
}: NonNullable<Item<'webhook_failing'>['details']>) {
  return (
    <>
      {excerpt !== null && ` “${excerpt}”`}
      {'. '}
      {excerpt === null && error !== null && `${error} `}
      {waiting > 0 && `${countOf(waiting, 'delivery waits', 'deliveries wait')}. `}
      {next !== null && (
        <>
          Next attempt at <ExactTime form="clock" value={next} />.
        </>
      )}
    </>
  );
}

function describeRequest({ target, details }: Item<'request_open'>): DescribedAttention {
  const isKey = target.kind === 'api_key';
  const request = details?.request ?? null;
  return {
    icon: <MessageSquareWarning />,
    title: isKey
      ? `Nobody answered the rotation request for ${target.name}`
      : `Nobody answered the request about the webhook ${target.name}`,
    detail: details && (
      <>
        {details.asked !== null &&
          details.reason !== null &&
          `${details.asked} was asked: ${describeRequestReason({ act: details.act, reason: details.reason })}. `}
        It expires on <ExactTime form="short" value={details.expires_at} />.
      </>
    ),
    page:
      request === null
        ? `settings/${isKey ? 'api-keys' : 'webhooks'}/${target.uuid}`
        : `settings/rotation-requests/${request}`,
    act: request !== null ? 'Open request' : isKey ? 'Open key' : 'Open webhook',
    name: target.name,
  };
}

function describeKey({ account, uuid, name, details }: Item<'key_expiring'>): DescribedAttention {
  const maySetExpiry = account.role !== null && mayAct(account.role, 'api-keys.update');
  const mayNotify = mayAct(account.role ?? 'support', 'requests.make');
  const page = `settings/api-keys/${uuid}`;
  return {
    icon: <ClockAlert />,
    title: `Key ${name} expires`,
    detail: details && (
      <>
        <LastUse {...details} />
        {details.responsible !== null && ` Responsible person: ${details.responsible}.`}
      </>
    ),
    ...(maySetExpiry
      ? { page: `${page}/edit`, act: 'Change expiry' }
      : mayNotify
        ? { page: `${page}?act=notify`, act: 'Notify owners' }
        : { page, act: 'Open key' }),
    name,
  };
}

function describeEmail({ name, details }: Item<'email_undeliverable'>): DescribedAttention {
  return {
    icon: <MailX />,
    title: details
      ? `Emails to ${details.email} are undeliverable`
      : `Emails to ${name} are undeliverable`,
    detail: details && (
      <>
        {details.status_code === null
          ? 'An email was given up after two days.'
          : `${details.status_code} “${details.reply}”.`}{' '}
        {details.waiting > 0 && `${countOf(details.waiting, 'email waits', 'emails wait')}.`}
      </>
    ),
    page: 'settings/team',
    act: 'Open team',
    name,
  };
}

function LastUse({
  last_used_at: at,
  last_used_ip: ip,
}: {
  last_used_at: string | null;
  last_used_ip: string | null;
}) {
  if (at === null) return 'No successful call was made with it.';
  return (
    <>
      Last used <RelativeTime isMidSentence value={at} />
      {ip !== null && (
        <>
          {' '}
          from <Code isSmall>{ip}</Code>
        </>
      )}
      .
    </>
  );
}
