import type { ReactNode } from 'react';

import { Cell, Row } from '#components/ui/data-display/table.tsx';
import type { FoundIn } from '#lib/contract/support-desk/support-desk.ts';

import { ActionCell, OpenLink, ResultHead } from './result-cells.tsx';

type UnopenedRowProps = {
  account: FoundIn;
  icon: ReactNode;
  name: string;
  /** Where it is once the account is open; the page asks for the reason first. */
  path: string;
  search: string;
  /** A second line. */
  children?: ReactNode;
};

/** A result in an account that the person must give a reason for before they see more of it. */
export function UnopenedRow({ account, icon, name, path, search, children }: UnopenedRowProps) {
  return (
    <Row className="max-sm:min-h-11">
      <ResultHead {...{ account, icon, name, path, search }} second={children} />
      <Cell />
      <Cell />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={name} />
      </ActionCell>
    </Row>
  );
}
