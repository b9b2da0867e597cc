import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { PasskeyElsewhere } from '#components/shell/identity/second-factor/passkey-elsewhere.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { Menu, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { useIsHydrated } from '#components/ui/rendering/use-is-hydrated.ts';
import type { Passkey, SecondFactors } from '#lib/contract/people/second-factors.ts';
import type { ShownFactorDialog } from './actions/factor-dialog.tsx';

type PasskeysProps = {
  factors: SecondFactors;
  onOpen: (dialog: ShownFactorDialog) => void;
};

/** The person's passkeys. They work at one host name, so elsewhere none can be added. */
export function Passkeys({ factors, onOpen }: PasskeysProps) {
  const { passkeys, passkey_host: host } = factors;
  const add = useRef<HTMLButtonElement>(null);
  const isHydrated = useIsHydrated();
  const isElsewhere = isHydrated && host !== window.location.hostname;
  return (
    <Section
      title={
        <>
          Passkeys{' '}
          {passkeys.length > 0 && (
            <span className="ml-1 font-normal text-ink-3 tabular-nums">{passkeys.length}</span>
          )}
        </>
      }
      action={
        !isElsewhere && (
          <Button
            ref={add}
            size="small"
            icon={<Plus />}
            onClick={() => onOpen({ kind: 'add-passkey', opener: add.current })}
          >
            Add passkey
          </Button>
        )
      }
    >
      {isElsewhere && <PasskeyElsewhere passkeyHost={host} />}
      {passkeys.length === 0 ? (
        <p className="text-pretty text-ink-3">
          No passkeys. A passkey is your fingerprint, face or PIN on this device, or a security key.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.uuid} passkey={passkey} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function PasskeyItem({
  passkey,
  onOpen,
}: {
  passkey: Passkey;
  onOpen: (dialog: ShownFactorDialog) => void;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { name, is_synced: isSynced } = passkey;
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Fingerprint aria-hidden className="shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-small text-pretty text-ink-3">
          {isSynced && 'Synced · '}Added <ExactTime form="day" value={passkey.created_at} />
          {' · '}
          {passkey.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <RelativeTime isMidSentence value={passkey.last_used_at} />
            </>
          )}
        </p>
      </div>
      <Menu label={`Actions for ${name}`} triggerRef={trigger}>
        <MenuItem
          icon={<Pencil />}
          onSelect={() => onOpen({ kind: 'rename-passkey', passkey, opener: trigger.current })}
        >
          Rename
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 />}
          tone="danger"
          onSelect={() => onOpen({ kind: 'remove-passkey', passkey, opener: trigger.current })}
        >
          Remove {name}
        </MenuItem>
      </Menu>
    </li>
  );
}
