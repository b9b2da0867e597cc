import { Note } from '#components/ui/feedback/note.tsx';

/**
 * On a page of another host: says at which host name passkeys work. They cannot work on an IP
 * address.
 *
 * @param passkeyHost null: this service has no host name
 */
export function PasskeyElsewhere({ passkeyHost }: { passkeyHost: string | null }) {
  if (passkeyHost === null) {
    return (
      <Note>
        Passkeys need a host name, and this service has an IP address only. Your administrator can
        set a host name as PUBLIC_URL.
      </Note>
    );
  }
  const { protocol, port, hostname } = window.location;
  const address = `${protocol}//${passkeyHost}${port === '' ? '' : `:${port}`}`;
  return (
    <Note>
      Passkeys do not work at {hostname}. Open{' '}
      <a className="link wrap-anywhere" href={address}>
        {address}
      </a>{' '}
      instead.
    </Note>
  );
}
