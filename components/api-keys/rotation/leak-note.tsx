import type { EndReason } from '#components/shell/requests/open-requests.ts';
import { Note } from '#components/ui/feedback/note.tsx';

type LeakNoteProps = {
  endReason: EndReason | null;
  /** Whether the person may end the old token at once. If not, they can report a leak instead. */
  mayEndTokens: boolean;
  onReportLeak: () => void;
  /** Revokes the key instead; undefined if the person may not. */
  onRevoke: (() => void) | undefined;
};

/** In the dialog that rotates a key: what to do if its token leaked. */
export function LeakNote({ endReason, mayEndTokens, onReportLeak, onRevoke }: LeakNoteProps) {
  if (!mayEndTokens) {
    return (
      <Note>
        <strong>Has the token leaked?</strong>{' '}
        <button type="button" className="link" onClick={onReportLeak}>
          Report the leak
        </button>{' '}
        instead: then you can revoke the key immediately.
      </Note>
    );
  }
  if (endReason === null) {
    return (
      <Note>
        For a leaked token choose <strong>Now</strong>. Until it ends, whoever has it can do
        everything that the key allows, except manage keys.
      </Note>
    );
  }
  return (
    <Note>
      <strong>“Now” is selected because {endReasons[endReason]}.</strong> Until it ends, whoever has
      it can use it.
      {onRevoke && (
        <>
          {' '}
          If nobody needs the key anymore,{' '}
          <button type="button" className="link" onClick={onRevoke}>
            revoke the key instead
          </button>
          .
        </>
      )}
    </Note>
  );
}

const endReasons: Record<EndReason, string> = {
  leaked: 'the token may have leaked',
  left: 'somebody who knew the token has left',
};
