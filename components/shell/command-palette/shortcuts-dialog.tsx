import { Fragment } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Kbd } from '#components/ui/data-display/kbd.tsx';
import { DialogPopup } from '#components/ui/overlays/dialog-popup.tsx';
import { commandKey } from './command-key.ts';

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <DialogPopup
      open={isOpen}
      onClose={onClose}
      size="narrow"
      title="Keyboard shortcuts"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {shortcuts.map(([keys, meaning]) => (
          <Fragment key={meaning}>
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key} className="text-ink-2">
                  {key === 'command' ? commandKey() : key}
                </Kbd>
              ))}
              <span className="sr-only">
                {keys.map((key) => (key === 'command' ? commandKey() : key)).join(' ')}
              </span>
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </DialogPopup>
  );
}

const shortcuts = [
  [['command', 'K'], 'Find a key, a webhook, a delivery or a page'],
  [['/'], 'Search the list'],
  [['Esc'], 'Close a dialog, or clear the search'],
  [['?'], 'Show this list'],
] as const;
