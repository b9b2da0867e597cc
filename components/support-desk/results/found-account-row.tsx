import { Building2 } from 'lucide-react';
import { use } from 'react';

import { Cell, Row, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';

import { Highlighted } from './highlighted.tsx';
import { NarrowSearch } from './narrow-search.tsx';
import { ActionCell, OpenLink, pressRowOnPhone, ResultIcon } from './result-cells.tsx';

type FoundAccountRowProps = { account: DeskResults['accounts']['items'][number]; search: string };

/** An account with the person's role in it, and a button that searches for something of it. */
export function FoundAccountRow({ account, search }: FoundAccountRowProps) {
  const path = accountPath(account.id, firstPage);
  const narrow = use(NarrowSearch);
  return (
    // Without a second line, it would be too low for a finger.
    <Row className="max-sm:min-h-11">
      <Cell isRowHeader onPhone="main">
        <RowName>
          <ResultIcon icon={<Building2 />} />
          <a href={path} className={pressRowOnPhone}>
            <Highlighted text={account.name} search={search} />
          </a>
        </RowName>
        {account.needs_reason && <SecondLine className="pl-5.5">Reason required</SecondLine>}
      </Cell>
      <Cell hideBelow="880px">
        {narrow && (
          <button
            type="button"
            className="text-ink-2 hover:underline"
            onClick={() => narrow(account)}
          >
            Search only here
          </button>
        )}
      </Cell>
      <Cell onPhone="top-end">
        {account.role === null ? 'Installation support' : roleTable[account.role].label}
      </Cell>
      <Cell />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={account.name} />
      </ActionCell>
    </Row>
  );
}
