import { RotateCw } from 'lucide-react';
import { useRef } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { requestPath } from '#components/shell/requests/request-path.ts';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { findReportedToken, ReportedToken } from '../rotation/request/reported-token.tsx';
import { compareUrgency } from './compare-urgency.ts';
import type { KeyActions } from './use-api-key-actions.ts';

type IncomingRotationRequestsProps = {
  /** The keys on this page. Requests for other keys are not shown. */
  apiKeys: readonly ApiKey[];
  personId: string;
  actions: KeyActions;
  now: Date;
};

/** Banners about requests to rotate a key, for this person, and about leaks; most urgent first. */
export function IncomingRotationRequests(props: IncomingRotationRequestsProps) {
  const { apiKeys, personId, actions, now } = props;
  const incoming = apiKeys
    .flatMap((apiKey) => {
      const mayRotate = actions.rotationOptionFor(apiKey).kind === 'rotate';
      return actions
        .openRequestsFor(apiKey)
        .filter(({ member, requested_by: requester, reason }) =>
          mayRotate
            ? member.id === personId || reason === 'leaked'
            : reason === 'leaked' && requester.id !== personId,
        )
        .map((request) => ({ apiKey, request, mayRotate }));
    })
    .toSorted((a, b) => compareUrgency(a.request, b.request));
  if (incoming.length === 0) return null;
  return (
    <section aria-label="Requests" className="grid gap-2">
      {incoming.map(({ apiKey, request, mayRotate }) =>
        mayRotate && request.member.id === personId ? (
          <IncomingRequest
            key={request.uuid}
            apiKey={apiKey}
            request={request}
            actions={actions}
            now={now}
          />
        ) : (
          <ReportedLeak
            key={request.uuid}
            apiKey={apiKey}
            request={request}
            personId={personId}
            mayRotate={mayRotate}
            actions={actions}
            now={now}
          />
        ),
      )}
    </section>
  );
}

type IncomingRequestProps = {
  apiKey: ApiKey;
  request: RotationRequest;
  actions: KeyActions;
  now: Date;
};

function IncomingRequest({ apiKey, request, actions, now }: IncomingRequestProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  const decline = useRef<HTMLButtonElement>(null);
  const { requested_by: requester, reason, note, expires_at: end } = request;
  const reported = findReportedToken(apiKey, { request, now });
  return (
    <Banner
      role="none"
      tone={reason === 'leaked' ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={`${requester.name} asks you to rotate ${apiKey.name}`}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button
            ref={decline}
            onClick={() => actions.onCloseRequest(apiKey, decline.current, request)}
          >
            Decline<span className="sr-only"> to rotate {apiKey.name}</span>
          </Button>
          <Button ref={rotate} onClick={() => actions.onRotate(apiKey, rotate.current, request)}>
            Rotate and show token<span className="sr-only"> of {apiKey.name}</span>
          </Button>
        </div>
      }
    >
      {describeRequestReason(request)}. {note !== null && `“${note}” `}
      {reported && <ReportedToken apiKey={apiKey} token={reported} />} The request expires on{' '}
      <ExactTime value={end} />.
    </Banner>
  );
}

function ReportedLeak({
  apiKey,
  request,
  personId,
  mayRotate,
  actions,
  now,
}: IncomingRequestProps & { personId: string; mayRotate: boolean }) {
  const rotate = useRef<HTMLButtonElement>(null);
  const withdraw = useRef<HTMLButtonElement>(null);
  const { requested_by: requester, member, note } = request;
  const reported = findReportedToken(apiKey, { request, now });
  const isOwn = requester.id === personId;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<RotateCw />}
      title={`${isOwn ? 'You' : requester.name} reported that the token of ${apiKey.name} may have leaked`}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          {isOwn && (
            <Button
              ref={withdraw}
              onClick={() => actions.onCloseRequest(apiKey, withdraw.current, request)}
            >
              Withdraw<span className="sr-only"> the report about {apiKey.name}</span>
            </Button>
          )}
          {mayRotate ? (
            <Button ref={rotate} onClick={() => actions.onRotateLeaked(apiKey, rotate.current)}>
              Rotate and show token<span className="sr-only"> of {apiKey.name}</span>
            </Button>
          ) : (
            <ButtonLink href={requestPath(request)}>
              Open report<span className="sr-only"> about {apiKey.name}</span>
            </ButtonLink>
          )}
        </div>
      }
    >
      {member.name} was asked to rotate the key. {note !== null && `“${note}” `}
      {reported && <ReportedToken apiKey={apiKey} token={reported} />}
    </Banner>
  );
}
