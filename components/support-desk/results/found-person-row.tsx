import { User } from 'lucide-react';

import { Cell, Row } from '#components/ui/data-display/table.tsx';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import { Highlighted } from './highlighted.tsx';
import { ActionCell, LastUseCell, OpenLink, ResultHead } from './result-cells.tsx';
import { UnopenedRow } from './unopened-row.tsx';

type FoundPersonRowProps = { person: DeskResults['people']['items'][number]; search: string };

/** A member of an account with their role and when they were last seen. */
export function FoundPersonRow({ person, search }: FoundPersonRowProps) {
  const { account, name, details } = person;
  const path = accountPath(account.id, 'settings/team');
  if (details === null) {
    return <UnopenedRow {...{ account, name, path, search }} icon={<User />} />;
  }
  return (
    <Row>
      <ResultHead
        {...{ account, name, path, search }}
        icon={<User />}
        second={<Highlighted text={details.email} search={search} />}
      />
      <Cell onPhone="top-end">{roleTable[details.role].label}</Cell>
      <LastUseCell value={details.last_seen_at} act="seen" />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={`of ${account.name}`}>
          Open team
        </OpenLink>
      </ActionCell>
    </Row>
  );
}
