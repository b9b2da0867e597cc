import { Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { ConfirmChoice } from '#components/shell/actions/confirm-choice.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { Choice, ChoicePanel } from '#components/ui/feedback/choice-panel.tsx';
import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import { confirmToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { KeyActions, KeyHandler, TokenHandler } from '../actions/use-api-key-actions.ts';
import { MaskedToken } from '../masked-token.tsx';
import { unconfirmedToken } from '../unconfirmed-token.ts';

type UnconfirmedPanelProps = {
  apiKey: ApiKey;
  actions: KeyActions;
  now: Date;
  /** Called when the key must be read again. */
  onStale: () => void;
};

/** Shows that the newest token is not confirmed and what to do; nothing for any other key. */
export function UnconfirmedPanel({ apiKey, actions, now, onStale }: UnconfirmedPanelProps) {
  const token = unconfirmedToken(apiKey);
  if (token === null) return null;
  const older = olderTokens(apiKey, now);
  const { canConfirm, canReplace, undoRestores } = actions.unconfirmedOptionsFor(apiKey);
  const { onRevoke, onShowNewToken, onUndoRotation } = actions;
  const canDoNothing = !canConfirm && !canReplace && undoRestores === null && !onRevoke;
  const { since, shown_to: shownTo } = token.unconfirmed;
  return (
    <ChoicePanel
      title={shownTo ? 'Token not confirmed' : 'Token not shown yet'}
      lead={
        <>
          <Short token={token} />{' '}
          {shownTo
            ? `was shown to ${shownTo.name} on `
            : `was created in an incident that ${token.created_by.name} started, on `}
          <ExactTime value={since} />
          {shownTo === null && ', and has not been shown yet'}. No successful call has used it
          since. <OlderTokens older={older} />
          {canDoNothing && ' Ask an owner or an admin.'}
        </>
      }
    >
      {canConfirm && (
        <ConfirmChoice
          noun="token"
          confirm={() =>
            confirmToken({
              params: { apiKey: apiKey.uuid },
              body: { last_four: apiKey.last_four },
            })
          }
          onStale={onStale}
        >
          Marks <Short token={apiKey} /> as confirmed. Nothing else changes.
        </ConfirmChoice>
      )}
      {canReplace && <Replace apiKey={apiKey} older={older} onReplace={onShowNewToken} />}
      {undoRestores && (
        <Undo apiKey={apiKey} older={older} restored={undoRestores} onUndo={onUndoRotation} />
      )}
      {onRevoke && <Revoke apiKey={apiKey} older={older} onRevoke={onRevoke} />}
    </ChoicePanel>
  );
}

function OlderTokens({ older }: { older: readonly OlderToken[] }) {
  const [previous] = older;
  if (previous === undefined) return null;
  const { last_used_at: used, valid_until: end } = previous;
  return (
    <>
      The previous token, <Short token={previous} />,{' '}
      {used === null ? (
        'made no successful call'
      ) : (
        <>
          made its last call <RelativeTime isMidSentence value={used} />
        </>
      )}{' '}
      and ends on <ExactTime value={end} />.
    </>
  );
}

type AboutKey = { apiKey: ApiKey; older: readonly OlderToken[] };

function Replace({ apiKey, older, onReplace }: AboutKey & { onReplace: KeyHandler }) {
  const button = useRef<HTMLButtonElement>(null);
  const [previous, ...more] = older;
  const wasShown = unconfirmedToken(apiKey)?.unconfirmed.shown_to !== null;
  return (
    <Choice
      title={wasShown ? 'The token is lost' : 'You need the token'}
      action={
        <Button ref={button} variant="primary" onClick={() => onReplace(apiKey, button.current)}>
          Show a new token
        </Button>
      }
    >
      Replaces <Short token={apiKey} /> and shows the new token once.{' '}
      {previous !== undefined &&
        (more.length > 0 ? (
          'The older tokens keep their current end times.'
        ) : (
          <>
            <Short token={previous} /> ends at the same time as before, on{' '}
            <ExactTime value={previous.valid_until} />.
          </>
        ))}
    </Choice>
  );
}

type UndoProps = AboutKey & { restored: OlderToken; onUndo: TokenHandler };

function Undo({ apiKey, older, restored, onUndo }: UndoProps) {
  const button = useRef<HTMLButtonElement>(null);
  const rank = older.length > 1 ? 'newest' : 'only';
  return (
    <Choice
      title="The rotation was a mistake"
      action={
        <Button
          ref={button}
          icon={<Undo2 />}
          onClick={() => onUndo(apiKey, restored, button.current)}
        >
          Undo rotation
        </Button>
      }
    >
      Ends <Short token={apiKey} /> now. <Short token={restored} /> is the {rank} token again and{' '}
      {apiKey.expires_at === null ? 'no longer ends' : 'ends with the key'}.
    </Choice>
  );
}

function Revoke({ apiKey, older, onRevoke }: AboutKey & { onRevoke: KeyHandler }) {
  const button = useRef<HTMLButtonElement>(null);
  const [previous, ...more] = older;
  return (
    <Choice
      title="The key is not needed, or has leaked"
      action={
        <Button ref={button} className="text-bad" onClick={() => onRevoke(apiKey, button.current)}>
          Revoke key<span className="sr-only"> {apiKey.name}</span>
        </Button>
      }
    >
      {previous === undefined ? (
        'Ends the token and the key.'
      ) : (
        <>
          Ends {more.length > 0 ? 'all' : 'both'} tokens and the key. Calls with{' '}
          {more.length > 0 ? 'any of them' : <Short token={previous} />} are rejected with 401 from
          that moment.
        </>
      )}
    </Choice>
  );
}

function Short({ token }: { token: { last_four: string } }) {
  return <MaskedToken lastFour={token.last_four} form="short" />;
}
