'use client';

import { Clock } from 'lucide-react';
import { useRef } from 'react';
import { ChangesForSupport } from '#components/shell/audit-entry/changes-for-support.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { useActionFromUrl } from '#components/shell/page/use-action-from-url.ts';
import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { IncomingRotationRequests } from '../actions/incoming-rotation-requests.tsx';
import { InitialKeyBanner } from '../actions/initial-key-banner.tsx';
import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { findReportedToken, ReportedToken } from '../rotation/request/reported-token.tsx';
import { ApiKeyBanner } from './api-key-banner.tsx';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { ApiKeyFrame } from './api-key-frame.tsx';
import { ApiKeyTokens } from './api-key-tokens.tsx';
import { KnownToLeaver } from './known-to-leaver.tsx';
import { UnconfirmedPanel } from './unconfirmed-panel.tsx';

type ApiKeyPageProps = {
  session: Session;
  /** From the URL: uuid or id. */
  reference: string;
  publicUrl: string;
  renderedAt: string;
};

/** The overview of one key: its tokens, its details, and what must be done about it. */
export function ApiKeyPage({ session, reference, publicUrl, renderedAt }: ApiKeyPageProps) {
  const { account, role, person } = session;
  return (
    <ApiKeyFrame session={session} reference={reference} tab="overview" renderedAt={renderedAt}>
      {({ apiKey, actions, onEndToken, onExtendToken, isDialogOpen, now, refetch }) => (
        <>
          <KeyActionFromUrl apiKey={apiKey} actions={actions} />
          <div className="grid gap-3 empty:hidden">
            <IncomingRotationRequests
              apiKeys={[apiKey]}
              personId={person.id}
              actions={actions}
              now={now}
            />
            <OutgoingRotationRequest
              apiKey={apiKey}
              personId={person.id}
              actions={actions}
              now={now}
            />
            <KnownToLeaver
              accountId={account.id}
              apiKey={apiKey}
              actions={actions}
              isDialogOpen={isDialogOpen}
            />
            <InitialKeyBanner apiKey={apiKey} actions={actions} now={now} />
            <UnconfirmedPanel apiKey={apiKey} actions={actions} now={now} onStale={refetch} />
            <ApiKeyBanner
              apiKey={apiKey}
              now={now}
              mayEdit={actions.mayEdit}
              onNotifyOwners={actions.onNotifyOwners}
              onResume={actions.onResume}
            />
          </div>
          <ApiKeyTokens
            accountId={account.id}
            apiKey={apiKey}
            now={now}
            isDialogOpen={isDialogOpen}
            onEndToken={onEndToken}
            onExtendToken={onExtendToken}
          />
          <ApiKeyFacts apiKey={apiKey} now={now} />
          <TryApiKey apiKey={apiKey} now={now} publicUrl={publicUrl} />
          <ChangesForSupport
            role={role}
            accountId={account.id}
            of={{ kind: 'api-keys', uuid: apiKey.uuid }}
          />
        </>
      )}
    </ApiKeyFrame>
  );
}

type TryApiKeyProps = { apiKey: ApiKey; now: Date; publicUrl: string };

/** A curl command that works with any active key. The token must be filled in. */
function TryApiKey({ apiKey, now, publicUrl }: TryApiKeyProps) {
  if (isEndedState(apiKeyState(apiKey, now))) return null;
  return (
    <Section title="Try it">
      <p className="text-pretty text-ink-2">
        Replace the masked token with the one you saved. The response describes this key.
      </p>
      <CodeBlock
        title="Get this key"
        code={[
          `curl ${publicUrl}/api/v1/api-key \\`,
          `  -H "Authorization: Bearer sk_live_…${apiKey.last_four}" \\`,
          '  -H "Accept: application/json"',
        ].join('\n')}
      />
    </Section>
  );
}

/**
 * Opens the dialog that a link to the key's page asks for, if the person may open it. `?act=rotate`
 * rotates the key, requests its rotation, or focuses the person's open request. `?act=leak` rotates
 * the key or reports the leak, because its token leaked. `?act=notify` notifies the owners that it
 * expires.
 */
function KeyActionFromUrl({ apiKey, actions }: { apiKey: ApiKey; actions: KeyActions }) {
  useActionFromUrl(apiKey, (action, known) => {
    if (known.status === 'revoked' || known.status === 'expired') return;
    if (action === 'leak') reportLeak(known, actions);
    if (action === 'rotate') rotate(known, actions);
    if (action === 'notify') actions.onNotifyOwners?.(known, null);
  });
  return null;
}

function rotate(apiKey: ApiKey, actions: KeyActions): void {
  const { kind } = actions.rotationOptionFor(apiKey);
  // The person asked already: the banner says so, and has what they can do now.
  if (kind === 'requested') document.getElementById(outgoingRequestId)?.focus();
  if (kind === 'rotate') actions.onRotate(apiKey, null);
  if (kind === 'request') actions.onRequestRotation(apiKey, null);
}

/** People who may end tokens rotate the key. Others report the leak, and may then revoke it. */
function reportLeak(apiKey: ApiKey, actions: KeyActions): void {
  const option = actions.rotationOptionFor(apiKey);
  if (option.kind === 'none') return;
  if (option.kind === 'requested' && option.request.reason === 'leaked') {
    actions.onRevokeLeaked(apiKey, null, option.request);
  } else if (option.kind === 'rotate' && actions.onEndToken) actions.onRotateLeaked(apiKey, null);
  else actions.onReportLeak(apiKey, null);
}

const outgoingRequestId = 'outgoing-rotation-request';

type OutgoingRotationRequestProps = {
  apiKey: ApiKey;
  personId: string;
  actions: KeyActions;
  now: Date;
};

function OutgoingRotationRequest({ apiKey, personId, actions, now }: OutgoingRotationRequestProps) {
  const withdraw = useRef<HTMLButtonElement>(null);
  const revoke = useRef<HTMLButtonElement>(null);
  const rotation = actions.rotationOptionFor(apiKey);
  if (rotation.kind !== 'requested') return null;
  const { request } = rotation;
  const reported = findReportedToken(apiKey, { request, now });
  return (
    <Banner
      role="none"
      icon={<Clock />}
      title={<RequestSummary request={request} personId={personId} />}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button
            ref={withdraw}
            id={outgoingRequestId}
            onClick={() => actions.onCloseRequest(apiKey, withdraw.current, request)}
          >
            Withdraw
          </Button>
          {request.reason === 'leaked' && (
            <Button
              ref={revoke}
              onClick={() => actions.onRevokeLeaked(apiKey, revoke.current, request)}
            >
              Revoke now
            </Button>
          )}
        </div>
      }
    >
      {describeRequestReason(request)}.{' '}
      {reported ? (
        <ReportedToken apiKey={apiKey} token={reported} />
      ) : (
        <>
          Nothing changes until {request.member.name} rotates it
          {request.reason === 'leaked' && ' or you revoke it'}.
        </>
      )}
      {request.mailed_at === null &&
        (request.reason === 'leaked'
          ? ' Three reports about this key were emailed in the last 24 hours, so owners and admins get the email about this one within an hour.'
          : ` ${request.member.name} already received three emails about this key in the last 24 hours, so no email was sent for this request.`)}
    </Banner>
  );
}
