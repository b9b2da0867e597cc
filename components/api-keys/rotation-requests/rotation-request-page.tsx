'use client';

import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Mail, ScrollText, Users } from 'lucide-react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { describeRequestOutcome } from '#components/shell/requests/describe-request-outcome.ts';
import { isRequestOpen } from '#components/shell/requests/open-requests.ts';
import { requestsPath } from '#components/shell/requests/request-path.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import {
  describeRequestAct,
  describeRequestReason,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { LazyApiKeyDialog } from '../actions/lazy-api-key-dialog.tsx';
import { useApiKeyActions } from '../actions/use-api-key-actions.ts';
import { keyTypeTable } from '../key-type.tsx';
import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { keyLastUse } from '../token-last-use.ts';
import { RequestActions, WebhookRequestActions } from './request-actions.tsx';
import { RotationRequestSkeleton } from './rotation-request-skeleton.tsx';
import { targetPath } from './target-path.ts';

type RotationRequestPageProps = {
  session: Session;
  /** From the URL. */
  uuid: string;
  /** The server's time, so that the first render in the browser equals the server's. */
  renderedAt: string;
};

/** The page of one request, for those who may see it. */
export function RotationRequestPage({ session, uuid, renderedAt }: RotationRequestPageProps) {
  const { account, person } = session;
  const now = useNow() ?? new Date(renderedAt);
  const { actions, shownDialog, dialog, refetch } = useApiKeyActions(session, now);
  const refetchOptions = pageRefetchOptions({ isDialogOpen: shownDialog !== null });
  const read = useQuery({
    ...routeQuery(account.id, 'getRotationRequest', { params: { rotationRequest: uuid } }),
    ...refetchOptions,
  });
  const data = dataIfPermitted(withoutExpired(read.data, now), read.error);
  const keyRead = useQuery({
    ...routeQuery(account.id, 'getApiKey', { params: { apiKey: data?.target.uuid ?? '' } }),
    ...refetchOptions,
    enabled: data?.act === 'rotate',
  });
  const apiKey = dataIfPermitted(keyRead.data, keyRead.error);
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  if (data === undefined && read.error === null) return <RotationRequestSkeleton />;

  return (
    <>
      <PageHeading
        crumb={{ href: requestsPath, label: 'Requests' }}
        title={data ? titleOf(data, person.id) : 'Request'}
        sentence={data && <RequestStatus request={data} personId={person.id} />}
      />
      <ReadFailure what="The request" shown="the request" noun="rotation requests" read={read} />
      {data && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[46.25rem]:grid-cols-[minmax(0,1fr)_15rem]">
          <div className="grid content-start gap-8">
            {data.note !== null && <Quote from={data.requested_by.name} text={data.note} />}
            <Facts
              facts={factsOf(data, { apiKey, isReading: keyRead.error === null })}
              className="gap-y-2.5"
            />
            <ReadFailure what="The key" noun="rotation requests" read={keyRead} />
            {data.state === 'open' && apiKey && (
              <RequestActions
                request={data}
                apiKey={apiKey}
                actions={actions}
                personId={person.id}
              />
            )}
            {data.state === 'open' && data.act !== 'rotate' && (
              <WebhookRequestActions request={data} personId={person.id} onChanged={refetch} />
            )}
          </div>
          <WhoSeesWhat request={data} personId={person.id} />
        </div>
      )}
      <LazyApiKeyDialog {...dialog} latestApiKey={apiKey} finalFocus={finalFocus} />
    </>
  );
}

function titleOf(request: RotationRequest, id: string) {
  const { act, member, requested_by: requester, target } = request;
  const what = describeRequestAct(act, target.name);
  if (member.id === id) return `${requester.name} asks you to ${what}`;
  return `${requester.id === id ? 'You ask' : `${requester.name} asks`} ${member.name} to ${what}`;
}

function RequestStatus({ request, personId }: { request: RotationRequest; personId: string }) {
  const { mark, label, detail } = describeRequestOutcome(request, personId);
  const { state, closed_at: closedAt, expires_at: expiresAt } = request;
  const end = state === 'expired' ? (closedAt ?? expiresAt) : closedAt;
  return (
    <>
      <span className="flex flex-wrap gap-x-6 gap-y-1 max-sm:flex-col">
        <Status mark={mark}>{label}</Status>
        <span className="text-ink-3">
          Asked <ExactTime value={request.created_at} />
        </span>
        {end === null ? (
          <span className="text-ink-3">
            Expires <ExactTime form="short" value={expiresAt} />
          </span>
        ) : (
          <span className="text-ink-3">
            Ended <ExactTime value={end} />
          </span>
        )}
      </span>
      {detail !== null && <span className="mt-1.5 block wrap-anywhere">{detail}</span>}
    </>
  );
}

function Quote({ from, text }: { from: string; text: string }) {
  return (
    <figure className="grid gap-1.5 rounded-3 border border-line-strong px-4 py-3.5">
      <figcaption className="font-medium">{from}</figcaption>
      <blockquote className="whitespace-pre-wrap wrap-anywhere">{text}</blockquote>
    </figure>
  );
}

/** The request, as expired once its deadline has passed: it may not have been read since. */
function withoutExpired(read: RotationRequest | undefined, now: Date): RotationRequest | undefined {
  if (read?.state !== 'open' || isRequestOpen(read, now)) return read;
  return { ...read, state: 'expired' };
}

/** @param read.apiKey undefined until it is read */
function factsOf(
  request: RotationRequest,
  { apiKey, isReading }: { apiKey: ApiKey | undefined; isReading: boolean },
) {
  const { target } = request;
  const lastFour = apiKey?.last_four ?? target.last_four;
  return [
    { label: 'Reason', value: describeRequestReason(request) },
    {
      label: request.act === 'rotate' ? 'Key' : 'Webhook',
      value: (
        <>
          <PageLink href={targetPath(request)} className="link">
            {target.name}
          </PageLink>
          {apiKey && `, ${keyTypeTable[apiKey.type].label}`}
        </>
      ),
    },
    ...(lastFour === null
      ? []
      : [{ label: 'Newest token', value: <MaskedToken lastFour={lastFour} /> }]),
    ...(apiKey || (isReading && request.act === 'rotate')
      ? [
          {
            label: 'Last used',
            value: apiKey ? <LastUse {...keyLastUse(apiKey)} /> : '…',
          },
        ]
      : []),
  ];
}

type WhoSeesWhatProps = {
  request: RotationRequest;
  /** The person who is signed in. */
  personId: string;
};

function WhoSeesWhat({ request, personId }: WhoSeesWhatProps) {
  const { act, member, requested_by: requester } = request;
  const secret = act === 'rotate' ? 'token' : 'secret';
  const isMember = member.id === personId;
  const asker = requester.id === personId ? 'You' : requester.name;
  const sees = asker === 'You' ? 'You see' : `${asker} sees`;
  return (
    <Section title="Who sees what">
      <ul className="grid gap-2.5 text-small text-ink-2 [&>li]:flex [&>li]:gap-2 [&_svg]:mt-0.5 [&_svg]:shrink-0 [&_svg]:icon-14 [&_svg]:text-ink-3">
        {act !== 'resume' && request.state === 'open' && (
          <li>
            <Eye aria-hidden />
            Only {isMember ? 'you see' : `${member.name} sees`} the new {secret}.
          </li>
        )}
        <li>
          <EyeOff aria-hidden />
          <span>
            {sees} the outcome of the request and its time
            {act === 'resume' ? '.' : `, but never the ${secret}.`}
          </span>
        </li>
        {request.reason === 'leaked' && (
          <li>
            <Users aria-hidden />
            Every member sees the report. Owners and admins got an email.
          </li>
        )}
        <li>
          <Mail aria-hidden />
          <span>{asker === 'You' ? 'You get' : `${asker} gets`} an email with the outcome.</span>
        </li>
        <li>
          <ScrollText aria-hidden />
          The request and its outcome are recorded in the audit log.
        </li>
      </ul>
    </Section>
  );
}
