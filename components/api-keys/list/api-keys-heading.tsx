import { Plus } from 'lucide-react';

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';

import { apiKeysPath } from '../api-key-path.ts';

export function ApiKeysHeading({ hasCreate }: { hasCreate: boolean }) {
  return (
    <PageHeading
      title="API keys"
      sentence="Let your servers, apps and bots call the API. A token is shown once, when it is created."
      actions={hasCreate ? <CreateKeyLink /> : undefined}
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
