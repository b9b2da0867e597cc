import { Banner } from '#components/ui/feedback/banner.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { MaskedToken } from '../masked-token.tsx';
import { unconfirmedToken } from '../unconfirmed-token.ts';

type UnconfirmedNoteProps = { apiKey: ApiKey; onReplace: (() => void) | undefined };

/** In the dialog that rotates a key: says that nobody confirmed having its newest token. */
export function UnconfirmedNote({ apiKey, onReplace }: UnconfirmedNoteProps) {
  const token = unconfirmedToken(apiKey);
  if (token === null) return null;
  const { since, shown_to: shownTo } = token.unconfirmed;
  return (
    <Banner
      role="none"
      tone="warn"
      title={shownTo ? 'Nobody confirmed having this token' : 'Nobody has this token yet'}
    >
      <MaskedToken lastFour={token.last_four} form="short" />{' '}
      {shownTo ? `was shown to ${shownTo.name}` : 'was made'} on <ExactTime value={since} />
      {shownTo ? ', and made no successful call.' : ', and was shown to nobody.'}
      {onReplace && (
        <>
          {' '}
          {shownTo ? 'If it is lost, you' : 'You'} do not have to rotate the key:{' '}
          <button type="button" className="link" onClick={onReplace}>
            show a new token
          </button>{' '}
          instead.
        </>
      )}
    </Banner>
  );
}
