'use client';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog } from '#components/ui/overlays/dialog.tsx';
import type { Session } from '#lib/contract/dashboard.ts';

type LeavePageDialogProps = { title: string; sentence: string; action: string; href: string };

/** Blocks the page, which can only be left. */
export function LeavePageDialog({ title, sentence, action, href }: LeavePageDialogProps) {
  return (
    <Dialog
      open
      onClose={() => undefined}
      role="alertdialog"
      size="narrow"
      hasCloseButton={false}
      title={title}
      sentence={sentence}
      footer={
        // A full page load, so that no data stays in memory.
        <Button variant="primary" onClick={() => window.location.assign(href)}>
          {action}
        </Button>
      }
    />
  );
}

type Name = Pick<Session['person'], 'name'>;

type PersonChangedDialogProps = {
  /** Who is signed in now. */
  current: Name;
  /** Whom the page was made for. */
  before: Name;
  /** Where the person who is signed in now goes on. */
  href: string;
};

/** Blocks the page because another person signed in in another tab, whose actions here would be theirs. */
export function PersonChangedDialog({ current, before, href }: PersonChangedDialogProps) {
  return (
    <LeavePageDialog
      title={`${current.name} is signed in now`}
      sentence={`${current.name} signed in in another tab, so ${before.name} is no longer signed in here. Continue as ${current.name}, or sign out to sign in as ${before.name}.`}
      action={`Continue as ${current.name}`}
      href={href}
    />
  );
}
