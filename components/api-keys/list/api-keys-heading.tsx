import { Plus, Siren } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { requestsPath } from '#components/shell/requests/request-path.ts';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { apiKeysPath, incidentsPath, oldTokensPath } from '../api-key-path.ts';

type ApiKeysHeadingProps = {
  actions?: ReactNode;
  /** Whether the person can make or receive rotation requests. */
  mayRotate?: boolean;
};

export function ApiKeysHeading({ actions, mayRotate = false }: ApiKeysHeadingProps) {
  return (
    <PageHeading
      title="API keys"
      sentence={
        <>
          Let your servers, apps and bots call the API. A token is shown once, when it is created.{' '}
          {mayRotate && (
            <>
              <PageLink href={requestsPath} className="link">
                Rotation requests
              </PageLink>{' '}
              ·{' '}
            </>
          )}
          <PageLink href={oldTokensPath} className="link">
            Old tokens
          </PageLink>{' '}
          <span className="print:hidden">·</span>
        </>
      }
      actions={actions}
    />
  );
}

export function CreateKeyLink() {
  return (
    <ButtonLink variant="primary" icon={<Plus />} href={`${apiKeysPath}/new`}>
      Create key
    </ButtonLink>
  );
}

/** Links to what was done to many keys together. */
export function IncidentLink() {
  return (
    <ButtonLink icon={<Siren />} href={incidentsPath}>
      Incidents
    </ButtonLink>
  );
}

export function OldTokensHeading() {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Old tokens"
      sentence="Tokens that a rotation replaced, and that still work. Those that are safe to end come first."
    />
  );
}
