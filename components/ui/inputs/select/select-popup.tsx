import { Select as Base } from '@base-ui/react/select';
import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { popupClass } from '../../overlays/popup-class.ts';

export type SelectOption<Value extends string> = {
  value: Value;
  label: string;
  disabled?: boolean;
};

type SelectPopupProps = {
  id: string;
  anchor: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onClose: () => void;
  options: readonly SelectOption<string>[];
  value: string;
  onChange: (value: string) => void;
};

export function SelectPopup({
  id,
  anchor,
  isOpen,
  onClose,
  options,
  value,
  onChange,
}: SelectPopupProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          sideOffset={6}
          align="start"
          alignItemWithTrigger={false}
          collisionPadding={8}
          className="z-(--z-menu)"
        >
          <Base.Popup
            finalFocus={anchor}
            className={cn(
              'max-h-(--available-height) min-w-[max(12.5rem,var(--anchor-width))] overflow-y-auto p-1',
              popupClass,
            )}
          >
            <Base.List id={id}>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className={cn(
                    'flex h-8 cursor-default items-center justify-between gap-2.5 rounded-2 px-2 text-body text-ink outline-none select-none',
                    'data-disabled:text-ink-3 data-highlighted:bg-fill-active max-sm:h-11 pointer-coarse:h-11',
                  )}
                >
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Check aria-hidden className="text-accent" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
