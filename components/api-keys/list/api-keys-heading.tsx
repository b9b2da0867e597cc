import { Plus, Siren } from 'lucide-react';
import type { ReactNode } from 'react';

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';

import { apiKeysPath, incidentsPath } from '../api-key-path.ts';

export function ApiKeysHeading({ actions }: { actions?: ReactNode }) {
  return (
    <PageHeading
      title="API keys"
      sentence="Let your servers, apps and bots call the API. A token is shown once, when it is created."
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

/** Leads to where many keys are rotated or revoked at once. */
export function IncidentLink() {
  return (
    <ButtonLink icon={<Siren />} href={incidentsPath}>
      Incident
    </ButtonLink>
  );
}
