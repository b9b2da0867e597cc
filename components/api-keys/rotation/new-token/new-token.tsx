import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { timesInText, ServiceText } from '#components/shell/feedback/service-text.tsx';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { confirmToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { TokenUse } from '#lib/contract/api-keys/token-use.ts';
import { refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatClockSeconds } from '#lib/time.ts';

type NewTokenProps = {
  accountId: string;
  apiKey: ApiKey;
  token: string;
  /** What the service says about the older tokens. */
  message: string;
  finalFocus: FocusTarget;
  /** Called when the dialog is closed. Remove the token from your state. */
  onClosed: (lastFour: string) => void;
};

/** Shows the new token of a key that exists already, once. */
export function NewToken({
  accountId,
  apiKey,
  token,
  message,
  finalFocus,
  onClosed,
}: NewTokenProps) {
  const lastFour = token.slice(-4);
  const use = useFirstCall(accountId, apiKey, lastFour);
  const oldTokenEnds = timesInText(message);
  const lastEnd = oldTokenEnds.toSorted().at(-1);
  return (
    <OneTimeSecret
      kind="token"
      subject={apiKey.name}
      value={token}
      envName="MESSAGING_API_KEY"
      sentence={
        use === undefined ? (
          'It is shown only once. If you lose it, rotate the key again.'
        ) : (
          <>
            It ends in <Code>{lastFour}</Code> and is no longer shown.
          </>
        )
      }
      verified={use && <Verified use={use} note={<RotationMessage message={message} />} />}
      note={<RotationMessage message={message} />}
      closeWarning={
        lastEnd === undefined ? undefined : (
          <>
            {oldTokenEnds.length === 1
              ? 'The old one still works until'
              : 'Older ones still work, the last until'}{' '}
            <ExactTime value={lastEnd} />.
          </>
        )
      }
      confirm={() =>
        confirmToken({ params: { apiKey: apiKey.uuid }, body: { last_four: lastFour } })
      }
      finalFocus={finalFocus}
      onClosed={() => onClosed(lastFour)}
    />
  );
}

/** How often the dialog looks for the first call with the new token. */
const watchingMs = 2000;

/** The use of the newest token of a key once it was used; undefined until then. */
function useFirstCall(accountId: string, apiKey: ApiKey, lastFour: string): TokenUse | undefined {
  const isUsed = (token: TokenUse) => token.last_four === lastFour && token.first_used_at !== null;
  const { data } = useQuery({
    ...routeQuery(accountId, 'listTokenUse', { params: { apiKey: apiKey.uuid } }),
    refetchInterval: ({ state }) =>
      state.data?.some((token) => isUsed(token) && token.callers.length > 0)
        ? false
        : refetchDelay(state.error, watchingMs),
  });
  return data?.find(isUsed);
}

/** In place of the token: when the first call with it was made, and the result of the latest. */
function Verified({ use, note }: { use: TokenUse; note: ReactNode }) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const caller = use.callers[0];
  return (
    <>
      <Banner
        role="status"
        icon={<CircleCheck />}
        title={`Verified: first call at ${formatClockSeconds(new Date(use.first_used_at ?? ''), zone)}`}
      >
        {caller && (
          <>
            <Code className="wrap-anywhere">
              {caller.last_method} {caller.last_path}
            </Code>{' '}
            from <Code>{caller.address}</Code>, answered with {caller.last_status}.
          </>
        )}
      </Banner>
      <Note icon={<Clock />}>{note}</Note>
    </>
  );
}

const saveNow = /^Save this \w+ now; it will not be shown again\.\s*/;
const deadline = /until \d{4}-[\d-]+T[\d:.]+[+-][\d:]+/g;
const lastDeadline = /(until \d{4}-\S+)\.(?=\s|$)/;

/** When the older tokens end, without the advice that the dialog gives already. */
function RotationMessage({ message }: { message: string }) {
  const text = message.replace(saveNow, '');
  const hasOneDeadline = text.match(deadline)?.length === 1;
  const advice = `Switch to the new one before ${hasOneDeadline ? 'then' : 'they end'}.`;
  return <ServiceText text={text.replace(lastDeadline, `$1. ${advice}`)} />;
}
