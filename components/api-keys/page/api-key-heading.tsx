import { Ellipsis, MessageSquareText, Pencil, RotateCw } from 'lucide-react';
import { useRef } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Menu } from '#components/ui/overlays/menu.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { ApiKeyStatusLabel } from '../api-key-status.tsx';
import { KeyTypeLabel } from '../key-type.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { ApiKeyMenuItems } from '../actions/api-key-menu-items.tsx';
import type { KeyActions } from '../actions/use-api-key-actions.ts';

/** Undefined: it could not be read. No actions are shown then. */
type ApiKeyHeadingProps = { apiKey: ApiKey | undefined; now: Date; actions: KeyActions };

export function ApiKeyHeading({ apiKey, now, actions }: ApiKeyHeadingProps) {
  return (
    <PageHeading
      crumb={{ href: 'settings/api-keys', label: 'API keys' }}
      title={apiKey?.name ?? 'API key'}
      sentence={apiKey && <Summary apiKey={apiKey} now={now} />}
      actions={apiKey && <Actions apiKey={apiKey} now={now} actions={actions} />}
    />
  );
}

function Summary({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  return (
    <>
      <MaskedToken lastFour={apiKey.last_four} />
      <span className="mt-1.5 flex flex-wrap gap-x-6 gap-y-1">
        <ApiKeyStatusLabel apiKey={apiKey} now={now} />
        <KeyTypeLabel type={apiKey.type} />
      </span>
    </>
  );
}

function Actions({ apiKey, now, actions }: { apiKey: ApiKey; now: Date; actions: KeyActions }) {
  const rotate = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const { rotationOptionFor, onRotate, onRequestRotation, mayEdit } = actions;
  const rotation = rotationOptionFor(apiKey).kind;
  const state = apiKeyState(apiKey, now);
  const isEnded = isEndedState(state);
  const label = `Actions for ${apiKey.name}`;
  return (
    <>
      {rotation === 'rotate' && !isEnded && (
        <Button ref={rotate} icon={<RotateCw />} onClick={() => onRotate(apiKey, rotate.current)}>
          Rotate token
        </Button>
      )}
      {rotation === 'request' && !isEnded && (
        <Button
          ref={rotate}
          icon={<MessageSquareText />}
          onClick={() => onRequestRotation(apiKey, rotate.current)}
        >
          Request rotation
        </Button>
      )}
      {mayEdit && !isEnded && (
        <ButtonLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </ButtonLink>
      )}
      <Menu
        label={label}
        triggerRef={more}
        trigger={<IconButton label={label} icon={<Ellipsis />} variant="secondary" size="normal" />}
      >
        <ApiKeyMenuItems apiKey={apiKey} actions={actions} isEnded={isEnded} opener={more} />
      </Menu>
    </>
  );
}
