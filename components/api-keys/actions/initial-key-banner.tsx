import { KeyRound } from 'lucide-react';
import { useRef } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { hasInitialToken } from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { KeyActions } from './use-api-key-actions.ts';

type InitialKeyBannerProps = { apiKey: ApiKey; actions: KeyActions; now: Date };

/** Prompts people who can rotate the key to replace a token from the service's settings. */
export function InitialKeyBanner({ apiKey, actions, now }: InitialKeyBannerProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  if (!hasInitialToken(apiKey, now) || actions.rotationOptionFor(apiKey).kind !== 'rotate')
    return null;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<KeyRound />}
      title={`${apiKey.name} still has its initial token`}
      action={
        <Button ref={rotate} onClick={() => actions.onRotate(apiKey, rotate.current)}>
          Rotate {apiKey.name}
        </Button>
      }
    >
      The token is set in the service’s configuration, as{' '}
      <code translate="no" className="code">
        INIT_API_KEY
      </code>
      . Rotate the key, and keep the new token out of configuration files.
    </Banner>
  );
}
