'use client';

import { Download } from 'lucide-react';
import { useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { AuditView } from '../audit-view.ts';

type ExportButtonProps = { accountId: string; view: AuditView; actorName: string | undefined };

/** Opens the dialog that exports the entries that match the filters. */
export function ExportButton(props: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [timesOpened, setTimesOpened] = useState(0);
  const button = useRef<HTMLButtonElement>(null);

  function open() {
    setTimesOpened((times) => times + 1);
    setIsOpen(true);
  }

  return (
    <>
      <Button ref={button} icon={<Download />} onClick={open}>
        Export
      </Button>
      <LazyDialog
        // A new dialog for each export, so that the last one keeps its state while it fades out.
        key={timesOpened}
        {...props}
        shouldLoad={isOpen}
        isOpen={isOpen}
        finalFocus={button}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

const LazyDialog = lazyComponent(async () => (await import('./export-dialog.tsx')).ExportDialog);
