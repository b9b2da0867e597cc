'use client';

import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { TagList } from '#components/ui/tag.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { type Role, roleTable } from '#lib/contract/roles.ts';
import type { Scope } from '#lib/contract/scopes.ts';

type RotateRefusedProps = {
  apiKey: ApiKey;
  role: Role;
  accountName: string;
  finalFocus: FocusTarget;
  onClose: () => void;
};

/** A token opens more than this person's role may: says why, and who can rotate it. */
export function RotateRefused({
  apiKey,
  role,
  accountName,
  finalFocus,
  onClose,
}: RotateRefusedProps) {
  const ceiling: readonly Scope[] = roleTable[role].ceiling;
  const beyond = apiKey.scopes.filter((scope) => !ceiling.includes(scope));
  return (
    <Dialog
      open
      onClose={onClose}
      size="narrow"
      title={`You can’t rotate ${apiKey.name}`}
      sentence={`Whoever rotates a key sees its new token, and this one may do more than ${roleTable[role].label.toLowerCase()} staff. An owner or an admin of ${accountName} can rotate it.`}
      finalFocus={finalFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="grid gap-1.5">
        <p className="text-small text-ink-3">Beyond your role</p>
        <TagList values={beyond} shown={2} />
      </div>
    </Dialog>
  );
}
