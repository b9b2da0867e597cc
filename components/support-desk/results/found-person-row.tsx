import { User } from 'lucide-react';

import { Cell, Row, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import { Highlighted } from './highlighted.tsx';
import {
  AccountCell,
  AccountLine,
  ActionCell,
  LastUseCell,
  OpenLink,
  pressRowOnPhone,
} from './result-cells.tsx';
import { ResultIcon } from './result-icon.tsx';

type FoundPersonRowProps = { person: DeskResults['people']['items'][number]; search: string };

/** A member of an account with their role and when they were last seen. */
export function FoundPersonRow({ person, search }: FoundPersonRowProps) {
  const path = accountPath(person.account.id, 'settings/team');
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <ResultIcon icon={<User />} />
          <a href={path} className={pressRowOnPhone}>
            <Highlighted text={person.name} search={search} />
          </a>
        </RowName>
        <SecondLine className="pl-5.5">
          <Highlighted text={person.email} search={search} />
        </SecondLine>
        <AccountLine account={person.account} />
      </Cell>
      <AccountCell account={person.account} />
      <Cell onPhone="top-end">{roleTable[person.role].label}</Cell>
      <LastUseCell value={person.last_seen_at} act="seen" />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={`of ${person.account.name}`}>
          Open team
        </OpenLink>
      </ActionCell>
    </Row>
  );
}
